import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, TextField } from '../contract/fields.js';
import { InstantAnswer, LongIdAnswer, WordAnswer } from '../contract/answers.js';
import { ListQuery, OrderParam } from '../contract/list-query.js';
import { IdParam, InstantParam } from '../contract/params.js';
import type { AuditEntry } from './audit-entry.entity.js';

/** What an entry may be about. */
const RESOURCES = [
  'article', 'purchase', 'supplier', 'location', 'inventory', 'brand', 'category', 'amortization_category', 'field', 'equipment', 'tier',
  'user', 'role', 'token', 'attachment', 'webhook',
] as const; // prettier-ignore

const ACTIONS =
  '`login`, `login.failed`, `logout`, `forbidden`, `import`, `purchase.dispose`, `purchase.dispose_undo`, `inventory.open`, `inventory.close`, `inventory.reopen`, `scan.undo`, `scan.change`, `misplaced.move`, `misplaced.ignore`, `unknown_code.link`, `unknown_code.dismiss`, `unknown_code.reopen`, `late_scan.accept`, `late_scan.refuse`, `user.password`, `user.password_failed`, `user.grant`, `user.revoke`, `role.grant`, `role.revoke`, `token.revoke`, `webhook.rotate`, `webhook.disable`, `audit.prune`, and `create`, `update`, `delete` or `restore` after the resource and a dot';

const exactly = { optional: true };

export class AuditQuery extends ListQuery {
  @IdParam({ description: 'What this user did.' })
  user_id?: number;

  @IdParam({ description: 'What was done with this token.' })
  token_id?: number;

  @TextField({ ...exactly, max: 64, description: 'What was done from this address, spelled as in the log.' })
  address?: string;

  @TextField({ ...exactly, max: 128, description: 'What one request did: its `X-Request-Id`.' })
  request_id?: string;

  @TextField({ ...exactly, max: 60, description: `One of ${ACTIONS}.` })
  action?: string;

  @ChoiceField({ optional: true, of: RESOURCES, description: 'What was done to this kind of row.' })
  resource?: string;

  @IdParam({ description: 'What was done to the row with this id; together with `resource`.' })
  resource_id?: number;

  @InstantParam({ description: 'At this instant or later.' })
  from?: string;

  @InstantParam({ description: 'At this instant or earlier.' })
  to?: string;

  @OrderParam('newest first', 'at')
  declare sort?: string;
}

export class AuditEntryDto {
  @LongIdAnswer(3338)
  id: number;

  @InstantAnswer()
  at: Date;

  @ApiProperty({ type: 'integer', nullable: true, example: 7 })
  user_id: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Compte de démonstration',
    description: 'The name at that time; of a command, who started it; of plain SQL, the role.',
  })
  user_name: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 1 })
  token_id: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'Where no request did it: the command, or `sql`.',
  })
  command: string | null;

  @ApiProperty({ type: String, nullable: true, example: '127.0.0.1' })
  address: string | null;

  @ApiProperty({ type: String, nullable: true, example: '0b6f3c1e-5d0a-4f0e-9a53-2f1f3f0a7c11' })
  request_id: string | null;

  @ApiProperty({ example: 'login', description: `One of ${ACTIONS}; there may be others one day.` })
  action: string;

  @WordAnswer(RESOURCES, { nullable: true, example: 'token' })
  resource: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 1 })
  resource_id: number | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    example: null,
    description: 'Of a change, what is otherwise since; of what was deleted or taken away, all of it.',
  })
  before: Record<string, unknown> | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    example: { user_id: 7, device_name: 'Pixel 9 – magasin' },
    description:
      'Of a change, what is otherwise since; of what is new, all of it; of anything else, the details.',
  })
  after: Record<string, unknown> | null;
}

export const toAuditEntryDto = (entry: AuditEntry): AuditEntryDto => ({
  id: entry.id,
  at: entry.at,
  user_id: entry.user_id,
  user_name: entry.user_name,
  token_id: entry.token_id,
  command: entry.command,
  address: entry.address,
  request_id: entry.request_id,
  action: entry.action,
  resource: entry.resource,
  resource_id: entry.resource_id,
  before: entry.before,
  after: entry.after,
});
