import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { DataSource } from 'typeorm';
import { Env } from '../config/env.js';
import { PROBE_TIMEOUT_MS, probePool } from '../database/options.js';

export type Readiness = Record<'database' | 'migrations' | 'running', boolean>;

const REMEMBERED_MS = 100;

@Injectable()
export class HealthService implements BeforeApplicationShutdown, OnApplicationShutdown {
  /** A shutdown has begun: the proxy is to send requests elsewhere. */
  isStopping = false;
  private readonly expected: string[];
  private readonly probes: Pool;
  /** However many ask, the database is asked once in a while. */
  private asked?: Promise<Set<string> | null>;

  constructor(@InjectDataSource() database: DataSource, { DATABASE_MAX_AGE_S }: Env) {
    this.expected = database.migrations.map((migration) => migration.name as string);
    this.probes = probePool((database.options as { url: string }).url, DATABASE_MAX_AGE_S);
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.probes.end();
  }

  async readiness(): Promise<Readiness> {
    const applied = await (this.asked ??= this.appliedMigrations().finally(() => {
      setTimeout(() => (this.asked = undefined), REMEMBERED_MS).unref();
    }));
    return {
      database: applied !== null,
      migrations: applied !== null && this.expected.every((name) => applied.has(name)),
      running: !this.isStopping,
    };
  }

  /** Names of the migrations that the database has; null when it cannot be asked, only read, or its disk is full. */
  private async appliedMigrations(): Promise<Set<string> | null> {
    let client: PoolClient | undefined;
    let applied: Set<string> | null = null;
    try {
      client = await this.probes.connect();
      // A megabyte goes into a temporary file, since it does not fit into the memory, and is gone with the statement.
      const answers = (await client.query(
        `SELECT set_config('work_mem', '64kB', true), set_config('statement_timeout', '${PROBE_TIMEOUT_MS}', true);
         WITH written AS MATERIALIZED (SELECT repeat('x', 10000) FROM generate_series(1, 100))
         SELECT name, current_setting('transaction_read_only') = 'on' AS is_read_only FROM migrations
         WHERE (SELECT count(*) FROM written) > 0`,
      )) as unknown as QueryResult<{ name: string; is_read_only: boolean }>[]; // one for each of the two
      const { rows } = answers[1]!;
      if (!rows.some((row) => row.is_read_only)) applied = new Set(rows.map((row) => row.name));
    } catch {
      // It cannot be asked.
    }
    // A session that only reads does so until it ends, also where the database takes writes again.
    client?.release(applied === null);
    return applied;
  }
}
