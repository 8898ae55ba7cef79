import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { setTimeout as sleep } from 'node:timers/promises';
import { invalid, notFound } from '../common/errors.js';
import { say } from '../common/messages.js';
import { Env } from '../config/env.js';
import { IDEMPOTENCY_KEY } from '../contract/creation.js';
import type { Creator } from '../contract/creation.js';
import type { Changer } from '../contract/etag.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import { createRow, deleteRow, updateRow } from '../contract/rows.js';
import type { RowOf } from '../contract/rows.js';
import { changing, record } from '../database/audit.js';
import type { Caller } from '../database/audit.js';
import { holdRow } from '../database/sql.js';
import { OutOfReach, Reach } from './reach.js';
import { Seal } from './sealing.js';
import { OLD_SECRETS, STILL_SIGNS } from './sender.queries.js';
import { newSecret } from './signing.js';
import { Webhook } from './webhook.entity.js';
import { webhook } from './webhooks.dto.js';
import type {
  CreateWebhookDto,
  RotatedWebhookDto,
  SecretWebhook,
  UpdateWebhookDto,
  WebhookQuery,
  WebhookSecretDto,
} from './webhooks.dto.js';
import { webhookMessages } from './webhooks.messages.js';

/** How long the secret before still signs. */
const BOTH_SIGN = '24 hours';
/** How many of those before that one still sign, where it is rotated more often: headers have an end. */
const EARLIER = 4;
/** How long somebody waits for the judgement of an address. */
const CHECK_MS = 3000;

/** Who is told of what happens, where, and signed with what. */
@Injectable()
export class WebhooksService {
  private readonly seal: Seal;

  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly reach: Reach,
    env: Env,
  ) {
    this.seal = new Seal(env.WEBHOOK_KEY);
  }

  list(query: WebhookQuery): Promise<Page<Webhook>> {
    const rows = this.webhooks.createQueryBuilder('webhook');
    if (query.is_active !== undefined) rows.andWhere({ is_active: query.is_active });
    return paginate(rows, query, {
      id: { by: 'webhook.id', type: 'integer', of: (row) => row.id },
      created_at: { by: 'webhook.created_at', type: 'timestamptz', of: (row) => row.created_at },
    });
  }

  async get(id: number, manager = this.webhooks.manager): Promise<Webhook> {
    const found = await manager.findOneBy(Webhook, { id, deleted_at: IsNull() });
    if (!found) throw notFound(webhookMessages.none);
    return found;
  }

  /**
   * What is kept of the answer for its Idempotency-Key has the secret sealed: it may have been rotated since.
   * @throws DomainError validation-failed for an address that is not reachable from everywhere, or where that answer was
   * kept with another WEBHOOK_KEY
   */
  async create(
    fields: CreateWebhookDto,
    by: Creator<SecretWebhook, WebhookSecretDto>,
  ): Promise<WebhookSecretDto> {
    await this.check(fields.url);
    const created = await createRow(this.webhooks.manager, by, async (own) => {
      const { identifiers } = await own.insert(Webhook, { ...fields });
      const { id } = identifiers[0] as Webhook;
      const secret = this.seal.close(newSecret());
      await own.query(`INSERT INTO webhook_sending (webhook_id, secret) VALUES ($1, $2)`, [id, secret]);
      return { ...(await this.get(id, own)), secret };
    });
    const [secret] = this.seal.openAny([created.secret]);
    if (secret === undefined)
      throw invalid({ [IDEMPOTENCY_KEY]: [say(webhookMessages.secret_lost, created.id)] });
    return { ...created, secret };
  }

  /**
   * Whoever switches it on, or sends it elsewhere, has it begin anew.
   * @throws DomainError validation-failed for an address that is not reachable from everywhere, stale
   */
  async update(id: number, fields: UpdateWebhookDto, by: Changer<Webhook>): Promise<Webhook> {
    if (fields.url) await this.check(fields.url);
    return updateRow(this.row(id), by, fields, async (manager) => {
      const isSwitched = fields.is_active !== undefined;
      await manager.update(Webhook, id, { ...fields, ...(isSwitched && { disabled_reason: null }) });
      if (fields.url === undefined && !isSwitched) return;
      const anew = `UPDATE webhook_sending SET failing_since = NULL, rests_until = NULL WHERE webhook_id = $1`;
      await manager.query(anew, [id]);
    });
  }

  /** Nothing more is sent to it, and its secret is gone. @throws DomainError stale */
  delete(id: number, by: Changer<Webhook>): Promise<void> {
    return deleteRow(this.row(id), by, async (manager) => {
      await manager.query(`DELETE FROM webhook_sending WHERE webhook_id = $1`, [id]);
      await manager.update(Webhook, id, { is_active: false });
      return 0; // nobody refers to it who would mind
    });
  }

  async rotate(id: number, caller: Caller): Promise<RotatedWebhookDto> {
    const secret = newSecret();
    return changing(this.webhooks.manager, caller, async (own) => {
      await holdRow(own, 'webhooks', id);
      const found = await this.get(id, own);
      const [[{ previous_until }]] = await own.query<[[{ previous_until: Date }], number]>(
        `UPDATE webhook_sending s SET previous_secret = secret, secret = $2,
           previous_until = change_instant() + interval '${BOTH_SIGN}',
           earlier = (
             SELECT coalesce(jsonb_agg(kept.old ORDER BY kept.n), '[]') FROM (
               SELECT old, n FROM jsonb_array_elements(${OLD_SECRETS}) WITH ORDINALITY olds (old, n)
               WHERE ${STILL_SIGNS} ORDER BY n LIMIT ${EARLIER}
             ) kept)
         WHERE webhook_id = $1 RETURNING previous_until`,
        [id, this.seal.close(secret)],
      );
      const details = { previous_secret_until: previous_until };
      await record(own, caller, { action: 'webhook.rotate', resource: 'webhook', resource_id: id, details });
      return { ...webhook.answer(found), secret, previous_secret_until: previous_until };
    });
  }

  /** A name that nobody knows yet, or in time, may be one tomorrow: it is judged again whenever something is sent. */
  private async check(url: string): Promise<void> {
    const late = sleep(CHECK_MS, undefined, { ref: false });
    try {
      await Promise.race([this.reach.resolve(new URL(url).hostname), late]);
    } catch (error) {
      if (!(error instanceof OutOfReach)) return;
      throw invalid({ url: [say(webhookMessages.out_of_reach, error.address)] });
    }
  }

  private row(id: number): RowOf<Webhook> {
    const read = (manager: EntityManager) => this.get(id, manager);
    return { manager: this.webhooks.manager, table: 'webhooks', id, read };
  }
}
