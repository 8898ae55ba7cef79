import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Context, Tracer } from '@opentelemetry/api';
import { finished } from 'node:stream';
import pg from 'pg';
import { sqlState } from '../database/errors.js';
import type { Sent } from '../database/sent.js';

/** Begins the span of a statement, which ends with its answer. */
export function statementSpan(tracer: Tracer, parent: Context, { statement, client, answer }: Sent): void {
  const { text, name } = typeof statement === 'string' ? { text: statement } : statement;
  const operation = /\w+/.exec(text)?.[0].toUpperCase() ?? 'none';
  const attributes = {
    'db.system.name': 'postgresql',
    'db.namespace': client.database,
    'db.operation.name': operation,
    // COPY takes no parameters: its values stand in the text.
    'db.query.text': operation === 'COPY' ? text.replace(/'(?:[^']|'')*'/g, '?') : text,
    'db.query.summary': name,
    'server.address': client.host,
    'server.port': client.port,
  };
  const span = tracer.startSpan(
    name ?? `${operation} ${client.database}`,
    { kind: SpanKind.CLIENT, attributes },
    parent,
  );
  // Without its message, which may hold values.
  const end = (error?: unknown): void => {
    if (error) {
      const code = sqlState(error) ?? undefined;
      if (error instanceof pg.DatabaseError) span.setAttributes({ 'db.response.status_code': code });
      span.setAttribute('error.type', code ?? (error as Error).name);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  };
  if (answer instanceof Promise) answer.then(() => end(), end);
  else finished(answer, end);
}
