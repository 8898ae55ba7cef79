import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Chores } from '../common/chores.js';
import { Env } from '../config/env.js';
import { Sql } from '../database/sql.js';
import { EndingService } from './ending.service.js';
import { messageIdOf } from './deliveries.dto.js';
import { OutboxService } from './outbox.service.js';
import { Post } from './post.js';
import { Reach } from './reach.js';
import { Seal } from './sealing.js';
import { take, toWhom } from './sender.queries.js';
import type { Due } from './sender.queries.js';
import { signed } from './signing.js';

const TURN_MS = 500;
/** After a turn that failed, since the database is away. */
const REST_MS = 10_000;
/** What is sent to one webhook at once: one that is slow or dead holds up nobody else. */
const LANES = 4;
/** Of how many things messages are made at once. */
const TOLD = 500;
/** While phones ask this much in a turn they come first: a few messages at a time, the others when there is time. */
const BUSY = { asked: 200, told: 20, pauseMs: 250 };
/** What is on its way at a shutdown may still come to its end. */
const GRACE_MS = 3000;

/** Sends what waits, from whichever instance has time for it. */
@Injectable()
export class SenderService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Webhooks');
  private readonly post: Post;
  private readonly seal: Seal;
  /** What is being sent to each. */
  private readonly lanes = new Map<number, Set<Promise<void>>>();
  private readonly ending = new AbortController();
  private turning?: Promise<void>;
  private restsUntil = 0;
  private isBusy = false;
  private isEnding = false;
  private asked = 0;

  constructor(
    private readonly outbox: OutboxService,
    private readonly endings: EndingService,
    private readonly sql: Sql,
    reach: Reach,
    env: Env,
    chores: Chores,
  ) {
    this.post = new Post(reach);
    this.seal = new Seal(env.WEBHOOK_KEY);
    chores.every(TURN_MS, 'Webhooks', () => this.turn());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await this.turning?.catch(() => undefined);
    const all = Promise.allSettled([...this.lanes.values()].flatMap((lanes) => [...lanes]));
    await Promise.race([all, sleep(GRACE_MS, undefined, { ref: false })]);
    this.ending.abort();
    await all;
    this.post.close();
  }

  private async turn(): Promise<void> {
    if (this.turning || this.isEnding || performance.now() < this.restsUntil) return;
    this.turning = this.work();
    try {
      await this.turning;
    } catch (error) {
      this.restsUntil = performance.now() + REST_MS;
      throw error;
    } finally {
      this.turning = undefined;
    }
  }

  private async work(): Promise<void> {
    const { asked } = this.sql;
    this.isBusy = asked - this.asked > BUSY.asked;
    this.asked = asked;
    if (this.isBusy) await this.outbox.tell(BUSY.told);
    else while (!this.isEnding && (await this.outbox.tell(TOLD)) >= TOLD);
    for (const { id } of await this.sql.query<{ id: number }>(toWhom)) this.fill(id);
  }

  private fill(webhookId: number): void {
    const lanes = this.lanes.get(webhookId) ?? new Set();
    this.lanes.set(webhookId, lanes);
    while (lanes.size < LANES) {
      const lane = this.run(webhookId)
        .catch((err: unknown) => this.logger.warn({ err }, `Webhook ${webhookId}: not this time`))
        .finally(() => {
          lanes.delete(lane);
          if (lanes.size === 0) this.lanes.delete(webhookId);
        });
      lanes.add(lane);
    }
  }

  /** One message after the other, as long as any is due. */
  private async run(webhookId: number): Promise<void> {
    while (!this.isEnding) {
      const [due] = await this.sql.query<Due>(take(webhookId));
      if (!due) return;
      await this.send(due);
      if (this.isBusy) await sleep(BUSY.pauseMs, undefined, { ref: false });
    }
  }

  private async send(due: Due): Promise<void> {
    const outcome = await this.outcome(due);
    // What was cut off by the shutdown is sent again by another, once the lease has ended.
    if (!(this.ending.signal.aborted && outcome.status === null)) await this.endings.note(due, outcome);
  }

  private async outcome({ url, message_id, body, secret, old_secrets, taken_at }: Due) {
    try {
      const secrets = [this.seal.open(secret), ...this.seal.openAny(old_secrets)];
      const headers = signed(messageIdOf(message_id), taken_at, body, secrets);
      return await this.post.send(new URL(url), headers, body, this.ending.signal);
    } catch (error) {
      return { status: null, ms: 0, error: (error as Error).message, answer: null, retryAfter: 0 };
    }
  }
}
