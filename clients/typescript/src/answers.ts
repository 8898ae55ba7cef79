import { isJson, parses } from './retry.js';
import type { ProblemDto } from './schema.js';

/** What a call of the client resolves to. */
interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** An answer that is no success, or none of the service. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly response: Response,
    /** What the service said; undefined when a proxy or another server answered. */
    readonly problem?: ProblemDto,
    message = problem?.detail ?? `HTTP ${response.status}`,
  ) {
    super(message);
  }
}

const isProblem = ({ headers }: Response): boolean =>
  headers.get('Content-Type')?.startsWith('application/problem+json') ?? false;

/** The data of a successful answer; throws an ApiError for any other. */
export async function unwrap<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (response.ok) return data as Data;
  // A problem that was cut off is a string.
  const isWhole = isProblem(response) && typeof error === 'object';
  throw new ApiError(response, isWhole ? (error as ProblemDto) : undefined);
}

/**
 * Throws an ApiError for a success that is not of the service, such as the page of a Wi-Fi that wants a login first, or
 * that was cut off. Everything that the service says has an X-Request-Id.
 */
export async function refuseStrangers(response: Response): Promise<void> {
  if (!response.ok) return;
  const type = response.headers.get('Content-Type') ?? 'no type';
  const fail = (what: string) => {
    throw new ApiError(response, undefined, `HTTP ${response.status}: ${what}`);
  };
  if (!response.headers.has('X-Request-Id') || type.startsWith('text/html'))
    fail(`not an answer of Recense (${type}). Does the network want a login first?`);
  if (isJson(response) && !parses(await response.clone().text())) fail('the answer was cut off');
}

/** All pages of a list in cursor mode. `get` calls the list with the cursor that it is given. */
export async function* pages<Page extends { meta: { next_cursor: string | null } }>(
  get: (cursor: string) => Promise<Answer<Page>>,
): AsyncGenerator<Page, void, void> {
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page = await unwrap(get(cursor));
    yield page;
    cursor = page.meta.next_cursor;
  }
}
