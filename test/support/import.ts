import { jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../src/commands.js';
import { loadEnv } from '../../src/config/env.js';

/** Imports a file by the command: its exit code, and what it prints line by line. */
export async function importFile(url: string, kind: string, path: string, ...options: string[]) {
  const said: string[] = [];
  const listen = (line: unknown) => void said.push(String(line));
  const spies = [
    jest.spyOn(console, 'log').mockImplementation(listen),
    jest.spyOn(console, 'error').mockImplementation(listen),
  ];
  try {
    return { code: await commands.import!([kind, path, ...options], url, loadEnv({})), said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** The same of a file with this text. */
export async function importText(url: string, kind: string, text: string, ...options: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'recense-import-'));
  try {
    const path = join(folder, 'file.csv');
    writeFileSync(path, text);
    return await importFile(url, kind, path, ...options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
