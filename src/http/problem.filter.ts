import { Catch, HttpException, Logger } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { isPassing } from '../database/errors.js';
import { Begun, DomainError, unavailable } from '../common/errors.js';
import { problems } from '../common/problems.js';
import type { ProblemCode } from '../common/problems.js';
import { render, say } from '../common/messages.js';
import type { Language } from '../common/messages.js';
import { leaveBody } from './body.js';
import { isHungUp } from './download.js';
import { preferredLanguage } from './language.js';
import type { AppRequest } from './request.js';

// What the framework throws by itself; 404 and 405 are answered before it, in routes.ts.
const codeOfStatus: Partial<Record<number, ProblemCode>> = {
  400: 'bad-request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  413: 'body-too-large',
  415: 'unsupported-media-type',
  422: 'validation-failed',
  503: 'unavailable',
};

/** What an answer that came to nothing may have said of itself. */
const OF_CONTENT = [
  'ETag',
  'Location',
  'Content-Encoding',
  'Content-Disposition',
  'Content-Range',
  'Accept-Ranges',
];

/** The only writer of error answers: problem+json (RFC 9457) for whatever was thrown. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');

  catch(error: unknown, host: ArgumentsHost): void | Promise<void> {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest(), http.getResponse());
  }

  answer(error: unknown, request: AppRequest, response: Response): void {
    if (response.writableEnded) return; // it was told that it takes too long
    if (response.destroyed && isHungUp(error)) return; // in the middle of its body
    const problem = this.toDomainError(error instanceof Begun ? error.cause : error, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    writeProblem(request, response, problem);
  }

  private toDomainError(error: unknown, request: AppRequest): DomainError {
    if (error instanceof DomainError) return error;
    const status = error instanceof HttpException ? error.getStatus() : (error as { status?: number }).status;
    const code = status === undefined ? undefined : codeOfStatus[status];
    if (code) return new DomainError(code);
    if (isPassing(error)) {
      this.logger.warn({ request_id: request.id, err: error }, 'The database is unavailable');
      return unavailable();
    }
    this.logger.error({ request_id: request.id, err: error }, 'Unexpected error');
    return new DomainError('internal');
  }
}

/**
 * In the language that the client prefers. Also used by the middleware that answers before Nest's routes, which may be
 * late: a request that broke off has been told so (connections.ts).
 */
export function writeProblem(request: AppRequest, response: Response, error: DomainError): void {
  if (response.headersSent) return;
  leaveBody(request, response);
  const language = preferredLanguage(request.headers['accept-language'], 'en');
  const problem = problemOf(error, request.originalUrl.split('?')[0] ?? '', request.id, language);
  for (const name of OF_CONTENT) response.removeHeader(name);
  response
    .status(problem.status)
    .set({ 'Cache-Control': 'no-store', 'Content-Language': language })
    .vary('Accept-Language')
    .set(error.headers)
    .type('application/problem+json')
    .send(JSON.stringify(problem));
}

/** The body of an error answer (RFC 9457). */
export function problemOf(error: DomainError, instance: string, request_id: string, language?: Language) {
  const { status, title } = problems[error.code];
  const inLanguage = (message: string): string => render(message, language);
  const fields = Object.entries(error.errors ?? {}).map(([field, texts]) => [field, texts.map(inLanguage)]);
  return {
    type: `/problems/${error.code}`,
    title: inLanguage(say(title)),
    status,
    detail: inLanguage(error.detail),
    instance,
    request_id,
    ...(error.errors && { errors: Object.fromEntries(fields) as Record<string, string[]> }),
  };
}
