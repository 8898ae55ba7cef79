import helmet from 'helmet';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * For an API of JSON: nothing of it is a page, runs or is framed. Swagger UI has a policy of its own (docs.ts).
 * Strict-Transport-Security is for the proxy to say, where TLS ends. The others mean nothing without pages.
 */
const answerHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  referrerPolicy: { policy: 'no-referrer' },
  xContentTypeOptions: true,
  strictTransportSecurity: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false, // frame-ancestors says it
  xPermittedCrossDomainPolicies: false,
  xPoweredBy: false,
  xXssProtection: false,
});

/** What helmet says of every answer, asked once: it is the same each time, and a scan should not wait for it. */
export const SECURITY_HEADERS: [name: string, value: string][] = [];
const response = { setHeader: (name: string, value: string) => SECURITY_HEADERS.push([name, value]) };
answerHeaders({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
