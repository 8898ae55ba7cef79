import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  defaultTextMapGetter,
  trace,
} from '@opentelemetry/api';
import type { Context, Span, Tracer } from '@opentelemetry/api';
import { W3CTraceContextPropagator, parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { OnApplicationShutdown } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Env } from '../config/env.js';
import { version } from '../config/version.js';
import { sent } from '../database/sent.js';
import type { Sent } from '../database/sent.js';
import type { AppRequest } from '../http/request.js';
import { Traces } from '../http/traces.js';
import type { Trace } from '../http/traces.js';
import { Collector } from './collector.js';
import { samplerOf } from './sampler.js';
import { statementSpan } from './statement-span.js';

/** How long the end of the service waits for the last spans to be taken. */
const FLUSH_MS = 3000;
const MAX_VALUE = 4096;
/** Others are all `_OTHER`. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];

/** The request that something is done for. */
interface Current {
  request: AppRequest;
  span: Span;
  context: Context;
}

/**
 * A span of each request, in the trace that its traceparent names, and of each statement that is sent for it; loaded
 * only where OTEL_EXPORTER_OTLP_ENDPOINT is set. Names and attributes are those of OpenTelemetry's semantic conventions
 * 1.30 and later; neither a query string, a header, a body nor a statement's value is among them.
 */
export class OpenTelemetry extends Traces implements OnApplicationShutdown {
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;
  private readonly propagator = new W3CTraceContextPropagator();
  private readonly current = new AsyncLocalStorage<Current>();

  constructor(env: Env) {
    super();
    this.provider = new TracerProvider({
      resource: resourceOf(env),
      sampler: samplerOf(env),
      // It holds 2048 spans at most, and drops what is more.
      spanProcessors: [new BatchSpanProcessor({ exporter: new Collector(env) })],
      spanLimits: { attributeValueLengthLimit: MAX_VALUE },
    });
    this.tracer = this.provider.getTracer('recense', version);
    subscribe(sent.name, this.onStatement);
  }

  override readonly begin = (request: AppRequest): Trace => {
    const { method: given, headers, httpVersion } = request;
    const method = METHODS.includes(given) ? given : '_OTHER';
    const parent = this.propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    const attributes = {
      'http.request.method': method,
      'url.path': request.path,
      'url.scheme': request.protocol,
      'client.address': request.address,
      'network.protocol.version': httpVersion,
    };
    const span = this.tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    const { traceId, spanId } = span.spanContext();
    const current = { request, span, context: trace.setSpan(parent, span) };
    return {
      ids: { trace_id: traceId, span_id: spanId },
      run: (work) => this.current.run(current, work),
      end: (status, route) => {
        if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
        span.setAttributes({
          'http.response.status_code': status ?? undefined,
          'http.response.header.x-request-id': [request.id],
          'user.id': request.user && String(request.user.id),
        });
        if (status === null) span.setAttribute('error.type', 'client_disconnected');
        else if (status >= 500)
          span.setAttribute('error.type', String(status)).setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  };

  async onApplicationShutdown(): Promise<void> {
    unsubscribe(sent.name, this.onStatement);
    await Promise.race([this.provider.shutdown(), sleep(FLUSH_MS, undefined, { ref: false })]);
  }

  /** What the service does by itself is no part of a trace, nor what a stream reads for all who follow. */
  private readonly onStatement = (message: unknown): void => {
    const statement = message as Sent;
    const begin = () => this.beginStatement(statement);
    if (!statement.contexts) begin();
    else for (const inContext of statement.contexts) inContext(begin);
  };

  private beginStatement(statement: Sent): void {
    const current = this.current.getStore();
    // Not by isRecording(): a transaction may end after the answer has.
    const isKept = current?.span.spanContext().traceFlags === TraceFlags.SAMPLED;
    if (!isKept || current.request.streamsSince !== undefined) return;
    statementSpan(this.tracer, current.context, statement);
  }
}

function resourceOf({ OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME }: Env) {
  return defaultResource().merge(
    resourceFromAttributes({
      'service.name': 'recense',
      'service.version': version,
      'service.instance.id': randomUUID(),
      ...parseKeyPairsIntoRecord(OTEL_RESOURCE_ATTRIBUTES),
      ...(OTEL_SERVICE_NAME && { 'service.name': OTEL_SERVICE_NAME }),
    }),
  );
}
