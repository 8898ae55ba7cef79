import { Injectable } from '@nestjs/common';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { version } from '../config/version.js';
import { Sql } from '../database/sql.js';

/** What is measured of the process as a whole; what a room measures of itself stands there. */
@Injectable()
export class MetricsService {
  constructor(
    readonly registry: Registry,
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
        this.set({ state: 'waiting' }, pool.waitingCount);
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
    new Gauge({ name: 'build_info', help: 'Always 1.', labelNames: ['version', 'node'], registers }).set(
      { version, node: process.versions.node },
      1,
    );
  }
}
