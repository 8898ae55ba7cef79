import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { ProblemAnswers, TombstoneDto, headers } from '../contract/openapi.js';
import { PackHeadDto, PackedPurchaseDto } from './pack.dto.js';

/** JSON, a line at a time. */
export const NDJSON = 'application/x-ndjson';

/** Of the demo organisation, two lines of many. */
const EXAMPLE = `{"session":{"id":3,"year":2026,"inventory_date":"2026-09-14","label":"Inventaire annuel 2026","status":"open","scope":null,"progress":{"scanned":1663,"total":2488,"percentage":66.84},"opened_by":{"id":5,"name":"Françoise Le Bihan"},"closed_at":null,"closed_by":null,"reopened":[],"created_at":"2026-09-14T06:02:40.661Z","updated_at":"2026-10-15T08:30:00.000Z"},"synced_until":"2026-11-20T08:30:00.000Z"}
{"id":1,"code":"0004521","aliases":["(8004)061414112345400"],"article":{"id":13,"name":"HP EliteBook 840 G7"},"category":{"id":1,"name":"Ordinateurs portables"},"location_id":5,"expected":true,"scanned_at":null}
`;

/** Documents the pack, whose answer is a text to OpenAPI: what its lines hold are schemas of their own. */
export const PackOperation = (): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(PackHeadDto, PackedPurchaseDto, TombstoneDto),
    ApiOperation({
      operationId: 'packInventory',
      summary: 'What a phone takes along to answer scans by itself',
      description:
        'Newline-delimited JSON: the session with `synced_until` (schema `PackHeadDto`), then a line for each live purchase (`PackedPurchaseDto`), in any order. With `updated_since` the changes alone: those of which a line may be otherwise since, and of each that was deleted its id and when (`TombstoneDto`). Nothing is missed; the same line may come twice. In gzip where the client takes that.',
    }),
    ApiResponse({
      status: 200,
      description: 'OK',
      headers,
      content: { [NDJSON]: { schema: { type: 'string' }, example: EXAMPLE } },
    }),
    ProblemAnswers('not-found'),
  );
