import type { ProblemDto } from './schema.js';

/** What a call of the client resolves to. */
interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** An answer that is no success. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly response: Response,
    /** What the service said; undefined when a proxy or another server answered. */
    readonly problem?: ProblemDto,
  ) {
    super(problem?.detail ?? `HTTP ${response.status}`);
  }
}

const isProblem = ({ headers }: Response): boolean =>
  headers.get('Content-Type')?.startsWith('application/problem+json') ?? false;

/** The data of a successful answer; throws an ApiError for any other. */
export async function unwrap<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (response.ok) return data as Data;
  throw new ApiError(response, isProblem(response) ? (error as ProblemDto) : undefined);
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
