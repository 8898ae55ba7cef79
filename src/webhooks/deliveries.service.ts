import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { notFound } from '../common/errors.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import type { DeliveryQuery } from './deliveries.dto.js';
import { Delivery } from './delivery.entity.js';
import { PING, bodyOf } from './events.js';
import { NOW } from './sender.queries.js';
import { webhook } from './webhooks.dto.js';
import { webhookMessages } from './webhooks.messages.js';
import { WebhooksService } from './webhooks.service.js';

/** What was sent to a webhook, or is to be. */
@Injectable()
export class DeliveriesService {
  constructor(
    @InjectRepository(Delivery) private readonly deliveries: Repository<Delivery>,
    private readonly webhooks: WebhooksService,
  ) {}

  async list(webhookId: number, query: DeliveryQuery): Promise<Page<Delivery>> {
    await this.webhooks.get(webhookId);
    const rows = this.deliveries
      .createQueryBuilder('delivery')
      .where('delivery.webhook_id = :webhookId', { webhookId });
    if (query.status) rows.andWhere({ status: query.status });
    if (query.event) rows.andWhere({ event: query.event });
    const id = { by: 'delivery.id', type: 'bigint', of: (row: Delivery) => row.id } as const;
    return paginate(rows, query, { id }, { order: '-id' });
  }

  /** Of its own, behind nothing that waits. By the clock of the database, which says when it is due. */
  async ping(webhookId: number): Promise<Delivery> {
    const row = await this.webhooks.get(webhookId);
    const [{ now }] = await this.deliveries.manager.query<[{ now: Date }]>(`SELECT ${NOW} AS now`);
    const [{ id }] = await this.deliveries.manager.query<[{ id: number }]>(
      `INSERT INTO webhook_deliveries (webhook_id, event, body, created_at, due_at) VALUES ($1, $2, $3, $4, $4)
       RETURNING id`,
      [webhookId, PING, bodyOf(PING, now, webhook.answer(row)), now],
    );
    return this.get(webhookId, id);
  }

  /**
   * What was delivered or given up is sent once more, beside what waits, and what waits for its next try is tried now;
   * what waits for another keeps its place.
   */
  async resend(webhookId: number, id: number): Promise<Delivery> {
    await this.webhooks.get(webhookId);
    return this.deliveries.manager.transaction(async (own) => {
      await own.query(
        `UPDATE webhook_deliveries SET status = 'waiting', due_at = clock_timestamp(), failures = 0,
           subject = CASE status WHEN 'waiting' THEN subject END, updated_at = change_instant()
         WHERE webhook_id = $1 AND id = $2 AND (status <> 'waiting' OR due_at IS NOT NULL)`,
        [webhookId, id],
      );
      return this.get(webhookId, id, own);
    });
  }

  private async get(
    webhook_id: number,
    id: number,
    manager: EntityManager = this.deliveries.manager,
  ): Promise<Delivery> {
    const found = await manager.findOneBy(Delivery, { webhook_id, id });
    if (!found) throw notFound(webhookMessages.no_delivery);
    return found;
  }
}
