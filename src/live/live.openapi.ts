import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { ProblemAnswers, headers } from '../contract/openapi.js';
import { LiveEventsDto } from './live.dto.js';

const EXAMPLE = `event: progress
id: 3-1789367735000-0-0
data: {"scanned":1663,"total":2488,"percentage":66.84}

event: undone
id: 3-1789368067204-2-3748
data: {"id":3748,"undone_at":"2026-09-14T06:41:07.204Z","undone_by":{"id":5,"name":"Françoise Le Bihan"},"purchase":{"id":1191,"code":"INV0011315","article":{"id":131,"name":"Majencia Fauteuil Oxo"}}}

event: progress
id: 3-1789368067204-2-3748
data: {"scanned":1662,"total":2488,"percentage":66.8}

`;

/** Documents the stream, whose answer is a text to OpenAPI: what its events hold is the schema LiveEventsDto. */
export const StreamOperation = (): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(LiveEventsDto),
    ApiOperation({
      operationId: 'followInventory',
      summary: 'Follow a session',
      description:
        'Server-Sent Events for as long as the connection lasts, whichever instance takes the scans. The schema `LiveEventsDto` says what the JSON in the `data` of each event is: `progress` at once and at most once a second, `scan`, `undone`, `unknown`, `closed` and `reopened` as they happen, or later while more is scanned than can be told beside it. A comment comes every 15 seconds. The stream ends with its token, when the session is deleted, and at a shutdown, which sends `retry:` first; whoever reads too slowly for 20 seconds is dropped. One user has a fifth of `MAX_CONNECTIONS` at most, 1 000 unless that is set, and is answered 429 beyond. Send the last `id` to go on where it ended. In gzip where that is accepted, each event at once all the same.',
    }),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description:
        'The `id` of the last event that was read: what was missed since comes first. For an hour, or 10 000 events; after that, or with any other text, the event `reset` comes instead. A scan that was undone meanwhile is told as undone alone.',
      schema: { type: 'string' },
    }),
    ApiResponse({
      status: 200,
      description: 'OK',
      headers,
      content: { 'text/event-stream': { schema: { type: 'string' }, example: EXAMPLE } },
    }),
    ProblemAnswers('not-found'),
  );
