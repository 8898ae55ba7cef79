import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Counter, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { Chores } from '../common/chores.js';
import { Files } from '../files/files.js';
import { KeptFiles, namedOf, sha256Of } from './kept-files.js';

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Removes the files that no row names. */
@Injectable()
export class Sweeper {
  private readonly logger = new Logger('Files');
  private readonly removed: Counter;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly files: Files,
    private readonly kept: KeptFiles,
    chores: Chores,
    registry: Registry,
  ) {
    this.removed = new Counter({
      name: 'files_removed_total',
      help: 'Files that were removed a day after the last row that named them.',
      registers: [registry],
    });
    chores.every(EVERY_MS, 'Removing files that no row names', () => this.sweep());
  }

  /** Only what is a day old: somebody may be about to name the rest. */
  async sweep(): Promise<void> {
    const before = new Date(Date.now() - DAY_MS);
    await this.files.removeUnfinished(before);
    // Whoever looks at these files with an empty database looks at those of another one.
    const [{ is_used }] = await this.database.query<[{ is_used: boolean }]>(
      `SELECT EXISTS (SELECT FROM attachments) AS is_used`,
    );
    if (!is_used) return;
    let count = 0;
    for await (const found of this.files.list()) {
      const names = found.filter(({ at }) => at < before).map(({ name }) => name);
      if (names.length === 0) continue;
      const named = await namedOf(this.database.manager, names.map(sha256Of));
      for (const name of names.filter((one) => !named.has(sha256Of(one))))
        if (await this.kept.removeUnlessNamed(name)) count++;
    }
    this.removed.inc(count);
    if (count > 0) this.logger.log({ files: count }, 'Removed files that no row names');
  }
}
