import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { version } from '../config/version.js';
import type { Replica } from '../database/replica.js';
import { Sql } from '../database/sql.js';

/** However many ask, the figures are collected once in a while. */
const KEPT_MS = 1000;

/** What is measured of the process as a whole; what a room measures of itself stands there. */
@Injectable()
export class MetricsService {
  private kept?: { text: Promise<string>; until: number };

  constructor(
    private readonly registry: Registry,
    sql: Sql,
  ) {
    const { pool } = sql;
    const registers = [registry];
    collectDefaultMetrics({ register: registry });
    new Gauge({
      name: 'database_pool_connections',
      help: 'Connections of the pool by state, and requests that wait for one.',
      labelNames: ['state'],
      registers,
      collect() {
        this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
        this.set({ state: 'idle' }, pool.idleCount);
        this.set({ state: 'waiting' }, sql.waitingCount);
      },
    });
    new Gauge({
      name: 'database_pipelined_statements',
      help: 'Look-ups, scans and the like that the database has not answered yet.',
      registers,
      collect() {
        this.set(sql.pipeline.waiting);
      },
    });
    if (sql.replica) measureReplica(sql, sql.replica, registry);
    new Gauge({ name: 'build_info', help: 'Always 1.', labelNames: ['version', 'node'], registers }).set(
      { version, node: process.versions.node },
      1,
    );
  }

  /** As Prometheus reads it. */
  text(): Promise<string> {
    const now = performance.now();
    if (!this.kept || now >= this.kept.until)
      this.kept = { text: this.registry.metrics(), until: now + KEPT_MS };
    return this.kept.text;
  }
}

function measureReplica(sql: Sql, replica: Replica, registry: Registry): void {
  const registers = [registry];
  new Counter({
    name: 'database_long_reads_total',
    help: 'Exports, reports, packs and the like, by the server that they were read on.',
    labelNames: ['server'],
    registers,
    collect() {
      this.reset();
      for (const [server, count] of Object.entries(sql.reads)) this.inc({ server }, count);
    },
  });
  new Gauge({
    name: 'database_replica_lag_bytes',
    help: 'What the replica has not replayed yet; NaN where it cannot be read.',
    registers,
    async collect() {
      this.set(await replica.lag().catch(() => NaN));
    },
  });
}
