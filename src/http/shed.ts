import type { NextFunction, Response } from 'express';
import { unavailable } from '../common/errors.js';
import { writeProblem } from './problem.filter.js';
import type { AppRequest } from './request.js';
import { API_PREFIX } from './routes.js';
import type { Sql } from '../database/sql.js';

/** How many requests may wait for the database, for each connection of the pool: a fraction of a second's work. */
const WAITING = 50;
/**
 * How many are refused in a turn of the event loop. A connection to the database gets its next statements only once a
 * turn, so that one spent on refusing hundreds starves them all.
 */
const REFUSED_A_TURN = 20;

/** Middleware: refuses (503) what would only wait its turn in vain, before anything is done for it. */
export function shedLoad(sql: Sql) {
  const limit = WAITING * sql.pool.options.max;
  const refusals: (() => void)[] = [];
  const refuseSome = (): void => {
    for (const refuse of refusals.splice(0, REFUSED_A_TURN)) refuse();
    if (refusals.length > 0) setImmediate(refuseSome);
  };
  return (request: AppRequest, response: Response, next: NextFunction): void => {
    const { template = '' } = request.entry ?? {};
    const isBusy = sql.waitingCount + sql.pipeline.waiting >= limit;
    // Operators are answered all the same.
    if (
      request.isAboveLimits ? template.startsWith('/health/') : !isBusy || !template.startsWith(API_PREFIX)
    ) {
      next();
      return;
    }
    const problem = unavailable();
    if (refusals.push(() => writeProblem(request, response, problem)) === 1) setImmediate(refuseSome);
  };
}
