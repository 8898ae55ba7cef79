/** Who may import whom: see README, "How the code is laid out". */
const features = 'articles|purchases|inventories|suppliers|reference|equipment|tiers|audit';
/** The arrows between features; each may also import itself, common, config and auth's decorators. */
const arrows = {
  reference: '',
  suppliers: '',
  tiers: '',
  articles: 'reference',
  purchases: 'articles|suppliers',
  inventories: 'purchases',
  equipment: 'tiers',
  audit: '',
};

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'the-service-imports-no-bench',
      severity: 'error',
      from: { path: '^(src|migrations)/' },
      to: { path: '^bench/' },
    },
    {
      name: 'common-and-config-import-no-feature',
      severity: 'error',
      from: { path: '^src/(common|config)/' },
      to: { path: `^src/(${features}|auth|imports|demo|health|metrics)/` },
    },
    {
      name: 'auth-imports-no-feature',
      severity: 'error',
      from: { path: '^src/auth/' },
      to: { path: `^src/(${features}|imports|demo)/` },
    },
    {
      name: 'features-import-only-the-decorators-of-auth',
      severity: 'error',
      from: { path: `^src/(${features})/` },
      to: { path: '^src/auth/', pathNot: '^src/auth/(access|user\\.entity)\\.ts$' },
    },
    ...Object.entries(arrows).map(([feature, allowed]) => ({
      name: `${feature}-imports`,
      severity: 'error',
      from: { path: `^src/${feature}/` },
      to: {
        path: `^src/(${features}|imports|demo)/`,
        pathNot: `^src/(${[feature, allowed].filter(Boolean).join('|')})/`,
      },
    })),
    {
      name: 'only-the-command-imports-imports',
      severity: 'error',
      from: { pathNot: '^src/(imports/|commands\\.ts$)' },
      to: { path: '^src/imports/' },
    },
    {
      name: 'imports-take-shapes-and-functions',
      severity: 'error',
      from: { path: '^src/imports/' },
      to: { path: '^src/(auth|demo|inventories)/|\\.(controller|module|service)\\.ts$' },
    },
    {
      name: 'controllers-do-not-query',
      severity: 'error',
      from: { path: '\\.controller\\.ts$' },
      to: { path: 'node_modules/(typeorm|@nestjs/typeorm|pg)/' },
    },
    {
      name: 'entities-import-no-dto',
      severity: 'error',
      from: { path: '\\.entity\\.ts$' },
      to: { path: '\\.dto\\.ts$' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    // Packages that say where their files are by `exports` alone, such as csv-parse/sync.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.ts$' },
  },
};
