import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { DomainError } from '../common/errors.js';
import { Env } from '../config/env.js';
import { record } from '../database/audit.js';
import type { Actor, AuditEvent, Caller } from '../database/audit.js';
import { actorOf } from '../http/actor.js';
import { RateLimit } from '../http/rate-limit.js';
import type { AppRequest } from '../http/request.js';

/** Anybody can fail to log in as often as he likes: these many a minute are recorded, and how many more there were. */
const FAILED_LOGINS = 100;
const MINUTE_MS = 60_000;

/** Writes into the audit log who was refused. */
@Injectable()
export class Refusals {
  private readonly logger = new Logger('Audit');
  private minute = 0;
  private recorded = 0;
  private unrecorded = 0;

  /** Of each token: past one a second, a caller only fills the disk. */
  private readonly ofTokens: RateLimit<number>;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    { TOKEN_RATE_LIMIT }: Env,
  ) {
    this.ofTokens = new RateLimit(Math.min(TOKEN_RATE_LIMIT, 1));
  }

  /** The name as it was tried, and whose it is if it is anybody's. */
  async login(actor: Actor, name: string): Promise<void> {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (minute !== this.minute) [this.minute, this.recorded] = [minute, 0];
    if (this.recorded === FAILED_LOGINS) {
      this.unrecorded++;
      return;
    }
    this.recorded++;
    const before = this.unrecorded;
    this.unrecorded = 0;
    await this.record(actor, async () => {
      const [user] = await this.database.query<{ id: number }[]>(
        `SELECT id FROM users WHERE name_key(login) = name_key($1) OR name_key(email) = name_key($1)`,
        [name],
      );
      const details = { login: name, ...(before > 0 && { unrecorded_before: before }) };
      return { action: 'login.failed', resource: 'user', resource_id: user?.id, details };
    });
  }

  /** Who does not know the password of whom he is signed in as. They are few: such guesses are throttled. */
  async ownPassword(caller: Caller): Promise<void> {
    const { user_id: resource_id } = caller;
    await this.record(caller, () => ({ action: 'user.password_failed', resource: 'user', resource_id }));
  }

  /** What a caller may not do. @throws DomainError too-many-requests */
  async of(request: AppRequest, { refused }: DomainError): Promise<void> {
    const actor = actorOf(request);
    if (actor.token_id === undefined) return;
    this.ofTokens.count(actor.token_id);
    const { method, entry } = request;
    const details = { method, route: entry?.template, ...refused.details };
    await this.record(actor, () => ({ action: 'forbidden', ...refused, details }));
  }

  /** Whoever is refused stays so, whether or not it can be written down: nothing was done that an entry must go with. */
  private async record(actor: Actor, event: () => AuditEvent | Promise<AuditEvent>): Promise<void> {
    try {
      await record(this.database, actor, await event());
    } catch (error) {
      this.logger.error(
        { request_id: actor.request_id, err: error },
        'A refusal is missing in the audit log',
      );
    }
  }
}
