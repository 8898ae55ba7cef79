import { ApiProperty } from '@nestjs/swagger';
import { say } from '../common/messages.js';
import { InstantAnswer, WordAnswer, WordsAnswer } from '../contract/answers.js';
import { recordTag } from '../contract/etag.js';
import { PatchOf } from '../contract/field.js';
import { BooleanField, TextField } from '../contract/fields.js';
import { ChoicesField } from '../contract/list-fields.js';
import { ListQuery, SortParam } from '../contract/list-query.js';
import { BooleanParam } from '../contract/params.js';
import type { Resource } from '../contract/resource.js';
import { SUBSCRIPTIONS } from './events.js';
import type { Subscription } from './events.js';
import type { Webhook } from './webhook.entity.js';
import { webhookMessages } from './webhooks.messages.js';

const URL_EXAMPLE = 'https://example.org/hooks/recense';
const EVENTS_EXAMPLE: Subscription[] = ['scan.recorded', 'inventory.closed'];
const SECRET_EXAMPLE = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

export class WebhookQuery extends ListQuery {
  @BooleanParam({ description: 'Only active or only inactive webhooks.' })
  is_active?: boolean;

  @SortParam('id', 'created_at')
  declare sort?: string;
}

function isAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s#]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === '' && password === '' && hostname !== '';
}

export class CreateWebhookDto {
  @TextField({
    max: 2048,
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s#@/?]+([/?][^\\s#]*)?$',
    example: URL_EXAMPLE,
    description:
      'Where messages are sent. `https` unless it stays inside; not to addresses that are private, unless `WEBHOOK_ALLOW` names them.',
    check: (value) => (isAddress(value) ? null : say(webhookMessages.url)),
  })
  url: string;

  @ChoicesField({
    of: SUBSCRIPTIONS,
    example: EVENTS_EXAMPLE,
    description: 'What to tell of; `*` for everything that there is and will be.',
  })
  events: Subscription[];

  @TextField({ optional: true, nullable: true, max: 500, example: 'Tableau de bord de la comptabilité' })
  description?: string | null;

  @BooleanField({
    optional: true,
    default: true,
    description:
      'An inactive one is told nothing, also not later; what already waits for it is sent once it is active.',
  })
  is_active?: boolean;
}

export class UpdateWebhookDto extends PatchOf(CreateWebhookDto) {}

export class WebhookDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: URL_EXAMPLE })
  url: string;

  @WordsAnswer(SUBSCRIPTIONS, EVENTS_EXAMPLE)
  events: Subscription[];

  @ApiProperty({ type: String, nullable: true, example: 'Tableau de bord de la comptabilité' })
  description: string | null;

  @ApiProperty({ example: false })
  is_active: boolean;

  @WordAnswer(['gone', 'failing'], {
    nullable: true,
    example: null,
    description:
      'Why the service made it inactive by itself: it answered 410, or nothing has come through for five days.',
  })
  disabled_reason: string | null;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

/** The only answers that show a secret. */
export class WebhookSecretDto extends WebhookDto {
  @ApiProperty({
    example: SECRET_EXAMPLE,
    description: 'What every message is signed with; it is shown this once.',
  })
  secret: string;
}

export class RotatedWebhookDto extends WebhookSecretDto {
  @InstantAnswer({ description: 'Up to here messages carry the signature of the secret before as well.' })
  previous_secret_until: Date;
}

const toWebhookDto = (webhook: Webhook): WebhookDto => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  description: webhook.description,
  is_active: webhook.is_active,
  disabled_reason: webhook.disabled_reason,
  created_at: webhook.created_at,
  updated_at: webhook.updated_at,
});

export const webhook: Resource<Webhook, WebhookDto> = {
  tag: recordTag,
  answer: toWebhookDto,
};

/** With its secret, as it is kept. */
export type SecretWebhook = Webhook & { secret: string };

export const secretWebhook: Resource<SecretWebhook, WebhookSecretDto> = {
  tag: recordTag,
  answer: (row) => ({ ...toWebhookDto(row), secret: row.secret }),
};
