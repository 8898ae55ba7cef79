/** The house: who may import whom; see docs/development.md. An import only goes down. */
const features =
  'amortization|articles|attachments|fields|files|exports|labels|purchases|inventories|scans|history|reports|live|locations|suppliers|reference|equipment|tiers|audit|webhooks';
const commands = 'imports|backup|demo';
/** From the ground; what is no folder of these is the top: main, the commands and the modules put together. */
const floors = [
  'config',
  'common',
  'database',
  'http',
  'contract',
  'auth',
  'users',
  `${features}|${commands}|health|metrics|traces`,
  'docs|web',
];
/** The arrows between features; each may also import itself and every floor below. */
const arrows = {
  reference: '',
  suppliers: '',
  labels: '',
  locations: 'labels',
  tiers: '',
  fields: '',
  articles: 'reference|fields',
  attachments: 'files|articles|equipment|purchases|inventories|scans',
  files: '',
  exports: '',
  amortization: 'reference|exports',
  purchases: 'articles|fields|suppliers|locations|tiers|amortization|labels',
  reports: 'fields|scans|inventories|purchases|locations|amortization|exports',
  history: 'scans|inventories|purchases',
  live: 'scans|inventories',
  scans: 'inventories|purchases|locations',
  inventories: 'fields|purchases|locations',
  equipment: 'tiers',
  audit: '',
  webhooks: 'live|scans|inventories|purchases|imports',
  health: '',
  metrics: '',
  traces: '',
};

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^@recense/client$|\\.wasm\\?url$' }, // an alias of web/tsconfig.json; a file of Vite's
    },
    {
      name: 'the-service-imports-no-bench',
      severity: 'error',
      from: { path: '^(src|migrations)/' },
      to: { path: '^bench/' },
    },
    ...floors.map((floor, at) => ({
      name: `imports-go-down-from-${floor.split('|').length > 1 ? 'features' : floor}`,
      severity: 'error',
      from: { path: `^src/(${floor})/` },
      to: { path: '^(src|bench)/', pathNot: `^src/(${floors.slice(0, at + 1).join('|')})/` },
    })),
    {
      name: 'features-import-only-the-decorators-of-auth',
      severity: 'error',
      from: { path: `^src/(${features}|health|metrics)/` },
      to: {
        path: '^src/(auth|users)/',
        pathNot: '^src/auth/(access|auth\\.module|standing|user\\.entity)\\.ts$',
      },
    },
    ...Object.entries(arrows).map(([feature, allowed]) => ({
      name: `${feature}-imports`,
      severity: 'error',
      from: { path: `^src/${feature}/` },
      to: {
        path: `^src/(${features}|${commands}|health|metrics|traces)/`,
        pathNot: `^src/(${[feature, allowed].filter(Boolean).join('|')})/`,
      },
    })),
    {
      name: 'only-the-top-imports-imports',
      severity: 'error',
      from: { pathNot: '^src/(imports/|webhooks/|docs/|demo/|commands\\.ts$|app\\.module\\.ts$)' },
      to: { path: '^src/imports/' },
    },
    {
      name: 'imports-take-shapes-and-functions',
      severity: 'error',
      from: { path: '^src/imports/' },
      to: {
        path: '^src/(auth|users|demo|inventories)/|\\.(controller|module|service)\\.ts$',
        pathNot: '^src/(imports/|auth/(access|user\\.entity)\\.ts$)',
      },
    },
    {
      name: 'traces-are-loaded-on-demand',
      severity: 'error',
      from: { pathNot: '^src/traces/' },
      to: { path: '^src/traces/', dynamic: false },
    },
    {
      name: 'sharp-is-loaded-on-demand',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: 'node_modules/sharp/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-traces-know-opentelemetry',
      severity: 'error',
      from: { pathNot: '^src/traces/' },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'controllers-do-not-query',
      severity: 'error',
      from: { path: '^src/.*\\.controller\\.ts$' },
      to: { path: 'node_modules/(typeorm|@nestjs/typeorm|pg)/' },
    },
    {
      name: 'the-browser-imports-how-codes-are-read-and-nothing-else-of-the-service',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^(src|migrations|bench)/', pathNot: '^src/purchases/(code|gs1|epc|symbology)\\.ts$' },
    },
    {
      name: 'shared-imports-no-room',
      severity: 'error',
      from: { path: '^web/src/shared/' },
      to: { path: '^web/src/', pathNot: '^web/src/(shared|texts|workers)/' },
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
    exclude: { path: '\\.spec\\.ts$|^bench/run\\.mjs$' },
  },
};
