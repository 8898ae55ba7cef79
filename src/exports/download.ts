import { Readable } from 'node:stream';
import { TABLE_TYPES } from '../contract/content.js';
import { Download } from '../http/download.js';
import { csvOf } from './csv.js';
import type { Delimiter } from '../contract/delimiter.js';
import type { Table } from './table.js';
import { xlsxOf } from './xlsx.js';

export type TableFormat = keyof typeof TABLE_TYPES;

/** The types of the files, with all that is said of them. */
export const FILE_TYPES = { ...TABLE_TYPES, csv: `${TABLE_TYPES.csv}; charset=utf-8; header=present` };

/** Tables as a file with this name: a sheet each in XLSX, in CSV the first alone. */
export function tableDownload(
  name: string,
  format: TableFormat,
  make: (send: (...tables: [Table, ...Table[]]) => Promise<void>) => Promise<void>,
  delimiter?: Delimiter,
): Download {
  const isWorkbook = format === 'xlsx';
  const type = FILE_TYPES[format];
  return new Download({ name: `${name}.${format}`, type, isPacked: isWorkbook }, (send) =>
    make(async (table, ...others) => {
      const first = { ...table, rows: await begun(table.rows) };
      await send(
        isWorkbook
          ? xlsxOf([first, ...others])
          : Readable.from(csvOf(first, delimiter), { highWaterMark: 1 }),
      );
    }),
  );
}

/** Once the first batch is there: what fails before is told by the status of the answer. */
async function begun<T>(batches: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = batches[Symbol.asyncIterator]();
  let first: Promise<IteratorResult<T>> | undefined = iterator.next();
  await first;
  const next = () => {
    const result = first ?? iterator.next();
    first = undefined;
    return result;
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: (value) => iterator.return!(value) }) };
}

/** Each batch as something else. */
export async function* mapped<T, U>(batches: AsyncIterable<T>, map: (batch: T) => U): AsyncGenerator<U> {
  for await (const batch of batches) yield map(batch);
}
