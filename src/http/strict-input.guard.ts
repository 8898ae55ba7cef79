import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { complain, noErrors, refuseInvalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import { hasBody, leaveBody, readBody } from './body.js';
import type { Response } from 'express';
import type { AppRequest } from './request.js';
import { checkType, typesOfFile } from './takes-file.js';
import { httpMessages } from './http.messages.js';

const BODY = '3';
const QUERY = '4';

/**
 * Runs after the access guard, and only then reads the body: a query parameter or body field that is given twice, or sent
 * to a route that takes none, is an error on every route. Fields of routes that take some are checked by the validation
 * pipe.
 */
@Injectable()
export class StrictInputGuard implements CanActivate {
  private readonly takes = new WeakMap<object, { body: boolean; query: boolean }>();

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<AppRequest>();
    const response = http.getResponse<Response>();
    const types = typesOfFile(context.getHandler());
    if (types) {
      checkType(request, types); // the handler reads it
      return this.check(context, request);
    }
    if (hasBody(request)) return readBody(request, response).then(() => this.check(context, request));
    leaveBody(request, response);
    return this.check(context, request);
  }

  private check(context: ExecutionContext, request: AppRequest): boolean {
    const { body, query } = this.takenBy(context);
    const errors = noErrors();
    if (request.url.includes('?')) {
      const names = Object.keys(request.query);
      if (!query) complain(errors, names, say(httpMessages.unknown_field));
      const repeated = names.filter((name) => Array.isArray(request.query[name]));
      complain(errors, repeated, say(httpMessages.given_twice));
    }
    const sent: unknown = request.body;
    if (sent !== undefined && !body) {
      if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
        errors.body = [say(httpMessages.object)];
      else complain(errors, Object.keys(sent), say(httpMessages.unknown_field));
    }
    complain(errors, request.repeatedFields ?? [], say(httpMessages.given_twice));
    refuseInvalid(errors);
    return true;
  }

  private takenBy(context: ExecutionContext): { body: boolean; query: boolean } {
    const handler = context.getHandler();
    let known = this.takes.get(handler);
    if (!known) {
      // Nest keeps the parameters of a handler under keys like "3:0": the kind, a colon, the position.
      const args = (Reflect.getMetadata('__routeArguments__', context.getClass(), handler.name) ??
        {}) as object;
      const kinds = Object.keys(args).map((key) => key.split(':')[0]);
      known = { body: kinds.includes(BODY), query: kinds.includes(QUERY) };
      this.takes.set(handler, known);
    }
    return known;
  }
}
