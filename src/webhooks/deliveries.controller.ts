import { Controller, Get, Post } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { IdInPath, LongIdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { pageOf } from '../contract/resource.js';
import { CheckedQuery } from '../contract/validation.pipe.js';
import { DeliveryDto, DeliveryQuery, toDeliveryDto } from './deliveries.dto.js';
import { DeliveriesService } from './deliveries.service.js';
import { WebhookDataDto } from './webhook-data.dto.js';

@ApiTags('Webhooks')
@ApiExtraModels(WebhookDataDto)
@Controller('webhooks/:id')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Access('webhooks.manage')
  @Get('deliveries')
  @PageOperation({
    id: 'listWebhookDeliveries',
    summary: 'List what is sent to a webhook',
    description:
      'The latest first. One that failed is tried again after 5 seconds, 5 minutes, 30 minutes, 2, 5, 10 and 10 hours, later where the receiver asks for it by `Retry-After`, and then given up. Messages of one purchase or session are sent one after the other. They are kept for `WEBHOOK_KEEP_DAYS`.',
    answer: DeliveryDto,
    errors: ['not-found'],
  })
  list(@IdInPath() id: number, @CheckedQuery() query: DeliveryQuery) {
    return pageOf({ answer: toDeliveryDto }, this.deliveries.list(id, query));
  }

  @Access('webhooks.manage')
  @Post('deliveries/:delivery_id/resend')
  @Operation({
    id: 'resendWebhookDelivery',
    summary: 'Send a message again',
    description:
      'With the same `webhook-id` and body, as soon as the webhook may be sent to, and as often as a new one where it fails. A `PATCH` of it with `is_active: true` ends the rest that a receiver has asked for. One that waits for another of the same purchase or session keeps its place.',
    answer: DeliveryDto,
    errors: ['not-found'],
  })
  async resend(
    @IdInPath() id: number,
    @LongIdInPath('delivery_id') deliveryId: number,
  ): Promise<DeliveryDto> {
    return toDeliveryDto(await this.deliveries.resend(id, deliveryId));
  }

  @Access('webhooks.manage')
  @Post('ping')
  @Operation({
    id: 'pingWebhook',
    summary: 'Try a webhook',
    description: 'Sends `webhook.ping` with the webhook as its data, also where it is not active.',
    answer: DeliveryDto,
    status: 202,
    located: false,
    errors: ['not-found'],
  })
  async ping(@IdInPath() id: number): Promise<DeliveryDto> {
    return toDeliveryDto(await this.deliveries.ping(id));
  }
}
