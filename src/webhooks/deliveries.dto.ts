import { ApiProperty } from '@nestjs/swagger';
import { InstantAnswer, LongIdAnswer, WordAnswer } from '../contract/answers.js';
import { ChoiceField } from '../contract/fields.js';
import { ListQuery, OrderParam } from '../contract/list-query.js';
import type { Delivery } from './delivery.entity.js';
import { DELIVERY_STATUSES, EVENTS, PING } from './events.js';
import type { DeliveryStatus } from './events.js';

const KNOWN = [...EVENTS, PING];

export class DeliveryQuery extends ListQuery {
  @ChoiceField({ optional: true, of: DELIVERY_STATUSES, description: 'Only those that are so.' })
  status?: DeliveryStatus;

  @ChoiceField({
    optional: true,
    of: KNOWN,
    names: KNOWN.map((event) => event.toUpperCase().replace('.', '_')),
    description: 'Only those of this event.',
  })
  event?: string;

  @OrderParam('the latest first', 'id')
  declare sort?: string;
}

export class TryDto {
  @InstantAnswer()
  at: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 410,
    description: 'Of the answer; null where none came.',
  })
  status: number | null;

  @ApiProperty({ type: 'integer', example: 212, description: 'How long it took.' })
  ms: number;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'Why no answer came.' })
  error: string | null;
}

export class DeliveryDto {
  @LongIdAnswer(2)
  id: number;

  @ApiProperty({
    example: 'msg_3f0a7c119a534f0e8d0a0b6f3c1e5d0a',
    description: 'The `webhook-id` of the message, the same each time it is sent.',
  })
  message_id: string;

  @WordAnswer(KNOWN, { example: 'inventory.closed' })
  event: string;

  @WordAnswer(DELIVERY_STATUSES, { example: 'failed' })
  status: string;

  @ApiProperty({ type: [TryDto], description: 'The last twenty, the latest at the end.' })
  tries: TryDto[];

  @InstantAnswer({
    nullable: true,
    example: null,
    description:
      'Null where it is not tried again, and where it waits for one before it of the same purchase or session. Not before the receiver’s `Retry-After`, of whichever message, nor while the webhook is not active.',
  })
  next_try_at: Date | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Gone',
    description: 'The first kB of the last answer.',
  })
  answer: string | null;

  @InstantAnswer({ description: 'When it happened.' })
  created_at: Date;
}

export const messageIdOf = (uuid: string): string => `msg_${uuid.replaceAll('-', '')}`;

export const toDeliveryDto = (delivery: Delivery): DeliveryDto => ({
  id: delivery.id,
  message_id: messageIdOf(delivery.message_id),
  event: delivery.event,
  status: delivery.status,
  tries: delivery.tries,
  next_try_at: delivery.due_at,
  answer: delivery.answer,
  created_at: delivery.created_at,
});
