import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Sql } from '../common/sql.js';

export type Readiness = Record<'database' | 'migrations' | 'running', boolean>;

const PING_TIMEOUT_MS = 1500;

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private isStopping = false;
  private readonly expected: string[];

  constructor(
    @InjectDataSource() database: DataSource,
    private readonly sql: Sql,
  ) {
    this.expected = database.migrations.map((migration) => migration.name as string);
  }

  /** Not ready from now on, so that the proxy sends requests elsewhere. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  async readiness(): Promise<Readiness> {
    const applied = await this.appliedMigrations();
    return {
      database: applied !== null,
      migrations: applied !== null && this.expected.every((name) => applied.has(name)),
      running: !this.isStopping,
    };
  }

  /** Names of the migrations that the database has; null when it cannot be asked, or only read. */
  private async appliedMigrations(): Promise<Set<string> | null> {
    const statement = {
      name: 'readiness',
      text: `SELECT name, current_setting('transaction_read_only') = 'on' AS is_read_only FROM migrations`,
      query_timeout: PING_TIMEOUT_MS,
    };
    try {
      const rows = await this.sql.query<{ name: string; is_read_only: boolean }>(statement);
      return rows.some((row) => row.is_read_only) ? null : new Set(rows.map((row) => row.name));
    } catch {
      return null;
    }
  }
}
