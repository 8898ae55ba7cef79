import type { NextFunction, Response } from 'express';
import type { AppRequest } from './request.js';

type Middleware = (request: AppRequest, response: Response, next: NextFunction) => void;

/** Middlewares as one: Express walks through its router for each that it is given, which makes 0.7 kB of garbage. */
export function inTurn(...steps: Middleware[]): Middleware {
  return (request, response, next) => {
    let at = 0;
    const go = (error?: unknown): void => {
      const step = error ? undefined : steps[at++];
      if (step) step(request, response, go);
      else next(error);
    };
    go();
  };
}
