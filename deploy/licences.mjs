// npm run licences: what the dependencies of production are licensed under; code 1 where we have not agreed to it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';

/** They ask for no more than their notice, which each package brings along. */
const AGREED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Bitstream-Vera',
  'ISC',
  'MIT',
  'Python-2.0',
];

/**
 * libvips, which sharp loads as a library of its own: a file beside it, in whose place anybody may put another one, as
 * the LGPL asks for. By package.
 */
const LOADED = { name: /^@img\/sharp-/, licences: ['LGPL-3.0-or-later', 'Apache-2.0', 'MIT'] };

/** Read in the package's own LICENSE or README, as its package.json does not say it in a way that npm understands. */
const READ = {
  'busboy@1.6.0': 'MIT',
  'dejavu-fonts-ttf@2.37.3': 'Bitstream-Vera',
  'passport-http-bearer@1.0.1': 'MIT',
  'passport-strategy@1.0.0': 'MIT',
  'pause@0.0.1': 'MIT',
  'png-js@2.0.0': 'MIT',
  'streamsearch@1.1.0': 'MIT',
  'type-fest@5.10.0': 'MIT', // or CC0-1.0, as one likes
};

/** Of a package such as pg@8.23.1, by its entry in package-lock.json. */
export const licenceOf = (id, { license }) => READ[id] ?? license ?? 'unknown';

const isLoaded = (id, licence) =>
  LOADED.name.test(id) && licence.split(' AND ').every((one) => LOADED.licences.includes(one));

/** The packages of production of a package-lock.json by licence, and what is wrong with them. */
export function licences({ packages }) {
  const byLicence = {};
  const complaints = [];
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '' || entry.dev) continue;
    const id = `${path.split('node_modules/').at(-1)}@${entry.version}`;
    const licence = licenceOf(id, entry);
    (byLicence[licence] ??= []).push(id);
    if (!AGREED.includes(licence) && !isLoaded(id, licence)) complaints.push(`${id}: ${licence}`);
  }
  return { byLicence, complaints };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { byLicence, complaints } = licences(lock);
  for (const [licence, ids] of Object.entries(byLicence).sort()) {
    console.log(`${licence} (${ids.length}): ${ids.sort().join(', ')}`);
  }
  for (const complaint of complaints) console.error(`Not agreed to: ${complaint}`);
  process.exitCode = complaints.length > 0 ? 1 : 0;
}
