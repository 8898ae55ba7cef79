import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';

/** Is aborted once nobody waits for the answer any more: a client that hung up, or that has it. */
export const HungUp = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const controller = new AbortController();
  context
    .switchToHttp()
    .getResponse<Response>()
    .once('close', () => controller.abort());
  return controller.signal;
});
