import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { Creating, Creation } from '../contract/creation.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import { Change, Changing, Reply, Replying, pageOf } from '../contract/resource.js';
import { CheckedBody, CheckedQuery } from '../contract/validation.pipe.js';
import type { Caller } from '../database/audit.js';
import { CurrentActor } from '../http/actor.js';
import {
  CreateWebhookDto,
  RotatedWebhookDto,
  UpdateWebhookDto,
  WebhookDto,
  WebhookQuery,
  WebhookSecretDto,
  secretWebhook,
  webhook,
} from './webhooks.dto.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Access('webhooks.manage')
  @Get()
  @PageOperation({
    id: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Inactive ones included. Their secrets are nowhere to be read.',
    answer: WebhookDto,
  })
  list(@CheckedQuery() query: WebhookQuery) {
    return pageOf(webhook, this.webhooks.list(query));
  }

  @Access('webhooks.manage')
  @Post()
  @Operation({
    id: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'From now on it is told of what happens, as Standard Webhooks 1.0 has it: the schema `WebhookDataDto` says what the `data` of each event is. Refused (422) for an address that is not reachable from everywhere: private, loopback, link-local and the like, however it is spelled, or behind a name. The `secret` is shown this once.',
    answer: WebhookSecretDto,
    status: 201,
  })
  create(@CheckedBody() body: CreateWebhookDto, @Creating() creation: Creation): Promise<WebhookSecretDto> {
    return this.webhooks.create(body, creation.of(secretWebhook));
  }

  @Access('webhooks.manage')
  @Get(':id')
  @Operation({
    id: 'getWebhook',
    summary: 'One webhook',
    description: 'Without its secret. One that the service has made inactive by itself says why.',
    answer: WebhookDto,
    tagged: true,
    errors: ['not-found'],
  })
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<WebhookDto> {
    return reply.of(webhook, this.webhooks.get(id));
  }

  @Access('webhooks.manage')
  @Patch(':id')
  @Operation({
    id: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'What waits for it is sent to the new address. Made active again, it begins anew with the five days.',
    answer: WebhookDto,
    tagged: true,
    errors: ['not-found'],
  })
  update(
    @IdInPath() id: number,
    @CheckedBody() body: UpdateWebhookDto,
    @Changing() change: Change,
  ): Promise<WebhookDto> {
    return change.update(webhook, (by) => this.webhooks.update(id, body, by));
  }

  @Access('webhooks.manage')
  @Delete(':id')
  @Operation({
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Nothing more is sent to it, not even what waits.',
    answer: DeletedDto,
    errors: ['not-found'],
  })
  delete(@IdInPath() id: number, @Changing() change: Change): Promise<DeletedDto> {
    return change.delete(webhook, id, (by) => this.webhooks.delete(id, by));
  }

  @Access('webhooks.manage')
  @Post(':id/rotate-secret')
  @Operation({
    id: 'rotateWebhookSecret',
    summary: 'Give a webhook another secret',
    description:
      'For 24 hours messages carry a signature by each of the two, so that a receiver has time to change; of several rotations within that time by each of the last five secrets before, each for its own 24 hours.',
    answer: RotatedWebhookDto,
    errors: ['not-found'],
  })
  rotate(@IdInPath() id: number, @CurrentActor() caller: Caller): Promise<RotatedWebhookDto> {
    return this.webhooks.rotate(id, caller);
  }
}
