// npm run audit: no high or critical advisory on any dependency but those that audit-waivers.json names, with the
// reason and the day until which it holds. Code 1 where there is one, 75 where the registry could not be asked.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';

/** EX_TEMPFAIL of sysexits.h: nothing is known, try again later. */
const UNKNOWN = 75;
const SERIOUS = ['high', 'critical'];

/** What is wrong, by a report of `npm audit --json` and the waivers on a day such as 2026-11-16. */
export function complaints({ vulnerabilities }, waivers, today) {
  const advisories = new Map();
  for (const { via } of Object.values(vulnerabilities)) {
    for (const advisory of via) {
      // A string names another package of the report, which has the advisory itself.
      if (typeof advisory === 'object') advisories.set(advisory.url.split('/').at(-1), advisory);
    }
  }
  const found = [];
  for (const [id, { name, severity, title, url, range }] of advisories) {
    if (!SERIOUS.includes(severity)) continue;
    const { until } = waivers[id] ?? {};
    if (until === undefined) found.push(`${name} ${range}: ${severity}: ${title} (${url})`);
    else if (until < today) found.push(`${id} on ${name} was waived until ${until}: look again`);
  }
  for (const [id, { reason, until }] of Object.entries(waivers)) {
    if (!reason || !/^\d{4}-\d\d-\d\d$/.test(until))
      found.push(`The waiver of ${id} needs a reason and a day (until)`);
    if (!advisories.has(id)) found.push(`The waiver of ${id} waives nothing: remove it`);
  }
  return found;
}

function audit() {
  const waivers = JSON.parse(readFileSync(join(root, 'deploy/audit-waivers.json'), 'utf8'));
  const npm = spawnSync('npm', ['audit', '--json', ...process.argv.slice(2)], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    shell: process.platform === 'win32',
  });
  const report = parse(npm.stdout);
  if (report?.auditReportVersion !== 2) {
    console.error(`npm audit gave no report: ${report?.message ?? npm.stderr}`);
    return UNKNOWN;
  }
  const found = complaints(report, waivers, new Date().toISOString().slice(0, 10));
  for (const complaint of found) console.error(complaint);
  const { total } = report.metadata.dependencies;
  if (found.length === 0) console.log(`No unwaived high or critical advisory on ${total} dependencies.`);
  return found.length > 0 ? 1 : 0;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = audit();
