import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { sqlState } from '../database/errors.js';
import { PIPELINE_SIZE } from '../database/options.js';
import { NotConnected } from '../database/pipeline.js';
import { sent } from '../database/sent.js';
import type { InContext } from '../database/sent.js';
import { HELD_UP, Sql } from '../database/sql.js';
import { FASTER, untilNobodyIsFaster } from './keeping.service.js';
import { scan } from './scans.queries.js';
import type { Plain, ScanRow } from './scans.queries.js';
import { scanTogether } from './together.queries.js';
import type { TogetherRow } from './together.queries.js';

/** In one statement; whoever is left goes with the next. */
const MAX_TOGETHER = 100;
const UNWRITTEN = new RegExp(`${HELD_UP.source}|${FASTER.source}`);

interface Waiting {
  plain: Plain;
  /** Where somebody wants to know what statements each request has. */
  inContext: InContext | undefined;
  /** Null for one that is to be recorded alone. */
  resolve: (row: ScanRow | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Records what phones scan: as long as there is a connection for each, alone, where none waits for what another one waits
 * for; and where more come at once, those of one turn of the event loop together, and then those that came meanwhile.
 */
@Injectable()
export class TogetherService {
  /** Whether a group waits for so long that nobody waits for it. */
  isLate = false;
  /** Milliseconds that those who came meanwhile wait for a group: no longer than for a lock. */
  patience = 100;
  private alone = 0;
  private isWorking = false;
  private waiting: Waiting[] = [];
  /** A group is no work of the request that came first. */
  private readonly outside = AsyncLocalStorage.snapshot();

  constructor(private readonly sql: Sql) {}

  /** What `scan` answers. */
  async scan(plain: Plain): Promise<ScanRow | undefined> {
    const row = this.sql.isPooled || this.isLate ? null : await this.whereManyAre(plain);
    if (row) return row;
    this.alone++;
    try {
      return (await untilNobodyIsFaster(() => this.sql.hot<ScanRow>(scan(plain), 'writes')))[0];
    } finally {
      this.alone--;
    }
  }

  private async whereManyAre(plain: Plain): Promise<ScanRow | null> {
    const { pipeline } = this.sql;
    const inContext = sent.hasSubscribers ? AsyncLocalStorage.snapshot() : undefined;
    pipeline.gathered++;
    try {
      return await new Promise((resolve, reject) => {
        const isFirst = this.waiting.push({ plain, inContext, resolve, reject }) === 1;
        if (isFirst && !this.isWorking) setImmediate(() => this.outside(() => void this.work()));
      });
    } finally {
      pipeline.gathered--;
    }
  }

  private async work(): Promise<void> {
    if (this.alone + this.waiting.length <= PIPELINE_SIZE) return this.letGo(this.waiting.splice(0));
    this.isWorking = true;
    while (this.waiting.length > 0) {
      const late = setTimeout(() => {
        this.isLate = true;
        this.letGo(this.waiting.splice(0));
      }, this.patience);
      await this.record(this.waiting.splice(0, MAX_TOGETHER));
      clearTimeout(late);
      this.isLate = false;
    }
    this.isWorking = false;
  }

  private letGo(scans: Waiting[]): void {
    for (const { resolve } of scans) resolve(null);
  }

  private async record(scans: Waiting[]): Promise<void> {
    try {
      const contexts = scans.flatMap(({ inContext }) => inContext ?? []);
      const statement = scanTogether(scans.map(({ plain }) => plain));
      const rows = await this.sql.pipeline.query<TogetherRow>(statement, contexts);
      this.sql.asked += rows.length;
      const found = new Map(rows.map((row) => [row.n, row]));
      for (const [n, { resolve }] of scans.entries()) resolve(found.get(n) ?? null);
    } catch (error) {
      const isUnwritten = error instanceof NotConnected || UNWRITTEN.test(sqlState(error) ?? '');
      if (isUnwritten) this.letGo(scans);
      else for (const { reject } of scans) reject(error);
      this.letGo(this.waiting.splice(0)); // what has held up this statement would hold up the next
    }
  }
}
