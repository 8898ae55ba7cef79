// npm run sbom: prints what of production is installed here as a CycloneDX bill of materials.
// `npm sbom --omit dev` would do, but leaves out what production and development share, such as pg
// (https://github.com/npm/cli/issues/7909), and fails where development dependencies are not installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceOf } from './licences.mjs';
import { root } from './prepare.mjs';

const args = 'sbom --sbom-format cyclonedx --sbom-type application --package-lock-only'.split(' ');
const npm = spawnSync('npm', args, {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 28,
  stdio: ['ignore', 'pipe', 'inherit'],
  shell: process.platform === 'win32',
});
if (npm.status !== 0) process.exit(1);
const bill = JSON.parse(npm.stdout);

const { name, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const installed = new Map();
for (const [path, entry] of Object.entries(packages)) {
  if (path === '' || entry.dev || !existsSync(join(root, path))) continue;
  installed.set(`${path.split('node_modules/').at(-1)}@${entry.version}`, entry);
}
const isListed = (ref) => ref === bill.metadata.component['bom-ref'] || installed.has(ref);

bill.metadata.component.name = name; // not the folder's
bill.components = bill.components
  .filter((component) => isListed(component['bom-ref']))
  .map((component) => ({
    ...component,
    licenses: [{ license: { id: licenceOf(component['bom-ref'], installed.get(component['bom-ref'])) } }],
  }));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => isListed(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isListed) }));
console.log(JSON.stringify(bill, null, 2));
