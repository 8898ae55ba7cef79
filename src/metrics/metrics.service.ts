import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { Sql } from '../database/sql.js';
import { version } from '../config/version.js';

@Injectable()
export class MetricsService {
  readonly registry = new Registry();

  /** By route template, so that unknown paths make no series of their own. */
  readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  /** Logins, and guesses of the own password; those that were throttled are counted nowhere else. */
  readonly passwordAttempts = new Counter({
    name: 'password_attempts_total',
    help: 'Passwords that were checked, or not even that.',
    labelNames: ['kind', 'outcome'],
    registers: [this.registry],
  });

  constructor(sql: Sql) {
    const { pool } = sql;
    collectDefaultMetrics({ register: this.registry });
    const registers = [this.registry];
    for (const kind of ['login', 'own_password'])
      for (const outcome of ['success', 'failure', 'throttled'])
        this.passwordAttempts.inc({ kind, outcome }, 0);
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
