import type { Request } from 'express';

/** The methods that one path template answers. */
export interface RouteEntry {
  /** Such as /api/v1/articles/{id}: the label in logs and metrics. */
  template: string;
  /** Null stands for a parameter. */
  segments: (string | null)[];
  methods: Set<string>;
}

/** What the middleware knows of a request before Nest's guards see it. */
export interface AppRequest extends Request {
  /** Also in X-Request-Id and in the log line. */
  id: string;
  /** Whence it comes, past the proxies that are trusted. */
  address: string;
  /** The route that answers; undefined where there is none. */
  entry?: RouteEntry;
  /** Who sends it, once the access guard knows; nobody on a public route. */
  user?: { id: number };
  /** Came on a connection above the limits, where only health checks are answered. */
  isAboveLimits?: boolean;
  /** When a stream of events began, of which the rest is no time that anybody waits; by performance.now(). */
  streamsSince?: number;
  /** Fields that stand twice in the JSON body. */
  repeatedFields?: string[];
}
