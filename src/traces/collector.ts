import type { ExportResult } from '@opentelemetry/core';
import { ExportResultCode, parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { Logger } from '@nestjs/common';
import type { Env } from '../config/env.js';

/** Where spans are sent to: OTLP over HTTP, as JSON. What it does not take is said once, not each time. */
export class Collector implements SpanExporter {
  private readonly exporter: OTLPTraceExporter;
  private readonly logger = new Logger('Traces');
  private isFailing = false;

  constructor({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS }: Env) {
    this.exporter = new OTLPTraceExporter({
      url: `${OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, '')}/v1/traces`,
      headers: parseKeyPairsIntoRecord(OTEL_EXPORTER_OTLP_HEADERS),
    });
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      this.tell(result.code === ExportResultCode.SUCCESS ? null : (result.error?.message ?? 'no answer'));
      done({ code: ExportResultCode.SUCCESS }); // or the next batch would wait, and more spans be dropped
    });
  }

  async shutdown(): Promise<void> {
    await this.exporter.shutdown();
  }

  private tell(reason: string | null): void {
    const wasFailing = this.isFailing;
    this.isFailing = reason !== null;
    if (this.isFailing === wasFailing) return;
    if (reason === null) this.logger.log('Traces are taken again');
    else this.logger.warn(`Traces cannot be sent (OTEL_EXPORTER_OTLP_ENDPOINT) and are dropped: ${reason}`);
  }
}
