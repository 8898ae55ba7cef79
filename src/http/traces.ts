import type { AppRequest } from './request.js';

/** The span of a request. */
export interface Trace {
  /** For its log line. */
  ids: { trace_id: string; span_id: string };
  /** What goes on from here is a part of it. */
  run: (work: () => void) => void;
  /** @param status null where there was no answer */
  end: (status: number | null, route: string | undefined) => void;
}

/** Makes spans of requests where there is a collector to send them to; this one makes none. */
export class Traces {
  readonly begin?: (request: AppRequest) => Trace;
}
