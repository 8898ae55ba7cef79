import type { NextFunction, Response } from 'express';
import { DomainError } from './errors.js';
import { writeProblem } from './problem.filter.js';
import type { AppRequest } from './request.js';
import { API_PREFIX } from './routes.js';
import type { Sql } from './sql.js';

/** How many requests may wait for each connection of the pool: a fraction of a second's work. */
const WAITING = 50;

/** Middleware: refuses (503) what would only wait its turn in vain, before anything is done for it. */
export function shedLoad({ pool }: Sql) {
  const limit = WAITING * pool.options.max;
  return (request: AppRequest, response: Response, next: NextFunction): void => {
    // Operators are answered all the same.
    if (pool.waitingCount < limit || !request.entry?.template.startsWith(API_PREFIX)) next();
    else writeProblem(request, response, new DomainError('unavailable', { headers: { 'Retry-After': '1' } }));
  };
}
