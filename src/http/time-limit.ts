import { Logger } from '@nestjs/common';
import type { NextFunction, Response } from 'express';
import { unavailable } from '../common/errors.js';
import { writeProblem } from './problem.filter.js';
import type { AppRequest } from './request.js';

/**
 * What phones ask all the time. Its statements have limits of their own, but a scan has several, and each may wait: for a
 * connection, for a lock, for a commit.
 */
const PROMPT =
  /^(GET \/api\/v1\/(scan\/\{code\}|inventories\/\{id\})|POST \/api\/v1\/inventories\/\{id\}\/scans?)$/;
/** 503 must come within 5 s. What is tested with more at once than a slow machine does in that time has another one. */
export const PATIENCE = { ms: 4500 };

/**
 * Middleware: answers 503 where the answer takes too long. What was asked may take effect all the same, as where the
 * answer is lost on its way: whoever sends it again is told of that.
 */
export function limitTime() {
  const logger = new Logger('TimeLimit');
  const giveUp = (request: AppRequest, response: Response): void => {
    logger.warn({ request_id: request.id }, 'The database takes too long');
    writeProblem(request, response, unavailable());
  };
  return (request: AppRequest, response: Response, next: NextFunction): void => {
    if (PROMPT.test(`${request.method} ${request.entry?.template}`)) {
      const look = () => {
        if (response.headersSent) return;
        // A phone on a weak network still sends it.
        if (request.complete) giveUp(request, response);
        else timer.refresh();
      };
      const timer = setTimeout(look, PATIENCE.ms);
      response.once('close', () => clearTimeout(timer));
    }
    next();
  };
}
