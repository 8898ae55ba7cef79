import { jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../src/commands.js';
import { loadEnv } from '../../src/config/env.js';

/** Imports a file with this text by the command: its exit code, and what it prints line by line. */
export async function importText(url: string, kind: string, text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'recense-import-'));
  const path = join(folder, 'file.csv');
  writeFileSync(path, text);
  const said: string[] = [];
  const listen = (line: unknown) => void said.push(String(line));
  const spies = [
    jest.spyOn(console, 'log').mockImplementation(listen),
    jest.spyOn(console, 'error').mockImplementation(listen),
  ];
  try {
    return { code: await commands.import!([kind, path], url, loadEnv({})), said };
  } finally {
    for (const spy of spies) spy.mockRestore();
    rmSync(folder, { recursive: true });
  }
}
