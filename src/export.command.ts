import type { INestApplicationContext } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { articleRow } from './articles/articles.dto.js';
import { ArticlesService } from './articles/articles.service.js';
import { UsageError, givenPath } from './common/command-line.js';
import type { Env } from './config/env.js';
import { delimiterNamed } from './contract/delimiter.js';
import { pageOf } from './contract/resource.js';
import { Sql } from './database/sql.js';
import { equipment } from './equipment/equipment.dto.js';
import { EquipmentService } from './equipment/equipment.service.js';
import { csvOf } from './exports/csv.js';
import { wholeList } from './exports/whole-list.js';
import type { Answer } from './exports/whole-list.js';
import { xlsxOf } from './exports/xlsx.js';
import { location } from './locations/locations.dto.js';
import { LocationsService } from './locations/locations.service.js';
import { purchase } from './purchases/purchases.dto.js';
import { PurchasesService } from './purchases/purchases.service.js';
import { amortizationCategory, brand, category } from './reference/reference.dto.js';
import { AmortizationCategory, Brand, Category } from './reference/reference.entity.js';
import { ReferenceService } from './reference/reference.service.js';
import { withServices } from './service.commands.js';
import { supplier } from './suppliers/suppliers.dto.js';
import { SuppliersService } from './suppliers/suppliers.service.js';
import { tier } from './tiers/tiers.dto.js';
import { TiersService } from './tiers/tiers.service.js';

/** What can be imported, by the word of that command. */
const KINDS: Record<string, (of: INestApplicationContext) => Promise<Answer>> = {
  brands: (of) => pageOf(brand, of.get(ReferenceService).list(Brand, {})),
  categories: (of) => pageOf(category, of.get(ReferenceService).list(Category, {})),
  'amortization-categories': (of) =>
    pageOf(amortizationCategory, of.get(ReferenceService).list(AmortizationCategory, {})),
  suppliers: (of) => pageOf(supplier, of.get(SuppliersService).list({})),
  locations: (of) => pageOf(location, of.get(LocationsService).list({})),
  articles: (of) => pageOf(articleRow, of.get(ArticlesService).list({})),
  purchases: (of) => pageOf(purchase(of.get(PurchasesService).asOf()), of.get(PurchasesService).list({})),
  equipments: (of) => pageOf(equipment, of.get(EquipmentService).list({})),
  tiers: (of) => pageOf(tier, of.get(TiersService).list({})),
};

/** Writes all of a list into a file, as of one instant; resolves to the exit code. */
export async function exportList(args: string[], url: string, env: Env): Promise<number> {
  const { kind, name, path, delimiter } = readArgs(args);
  return withServices(url, env, (services) =>
    services.get(Sql).snapshot(async (snapshot) => {
      const table = await wholeList(name, snapshot, [], () => kind(services));
      const content =
        extname(path).toLowerCase() === '.xlsx'
          ? xlsxOf([table])
          : Readable.from(csvOf(table, delimiter), { highWaterMark: 1 });
      await writeWhole(content, path).catch(cannotWrite(path));
    }),
  );
}

/** Nobody takes a part of it for the whole, and what was there stays until then; a pipe gets it as it comes. */
async function writeWhole(content: Readable, path: string): Promise<void> {
  const there = await stat(path).catch(unlessMissing);
  if (there && !there.isFile()) return pipeline(content, createWriteStream(path));
  // Into a file that is there, which may have an owner, readers and links, or stand in a folder where nothing else may be.
  const name = `${randomUUID()}.unfinished`;
  const unfinished = there ? join(tmpdir(), name) : `${path}.${name}`;
  try {
    await pipeline(content, createWriteStream(unfinished, { mode: there ? 0o600 : 0o666 }));
    if (there) await pipeline(createReadStream(unfinished), createWriteStream(path));
    else await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** What comes from the database is none of the path's. */
const cannotWrite = (path: string) => (error: NodeJS.ErrnoException) => {
  throw error.path === undefined ? error : new UsageError(`Cannot write ${path}: ${error.code}`);
};

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error;
  return null;
}

function readArgs(args: string[]) {
  try {
    const options = { delimiter: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [name = '', path, ...more] = positionals;
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
    const delimiter = delimiterNamed(values.delimiter ?? ',');
    if (kind && path && delimiter && more.length === 0)
      return { kind, name, path: givenPath(path), delimiter };
  } catch {
    // an unknown option
  }
  throw new UsageError(
    `Usage: npm run export -- <${Object.keys(KINDS).join('|')}> FILE.csv|FILE.xlsx [--delimiter <,|;|tab|pipe>]`,
  );
}
