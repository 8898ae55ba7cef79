import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { Actor } from '../database/audit.js';
import { Chores } from '../common/chores.js';
import { tooMany } from '../common/errors.js';
import { Turns } from '../common/limit.js';
import { networkOf } from '../http/rate-limit.js';
import { Sql } from '../database/sql.js';
import { authMessages } from './auth.messages.js';

/** Whose failed attempts are counted together, and how many of them there may be in any minute. */
interface Bucket {
  of: string;
  allowed: number;
}

const MINUTE = `interval '1 minute'`;
const CLEARED_EVERY_MS = 60_000;
/** Names as users are found by them, also whatever the accents. Of bounded length, and no list of who logs in. */
const KEY = `sha256(convert_to(fold(name_key($1)), 'UTF8'))`;
/** Who waits for this long for others of the same name, or finds so many of them, is told to come again (503). */
const PATIENCE_MS = 5000;
const LINE = 100;

/**
 * How often a password may be guessed, over all instances. An attempt is counted before it is looked at, so that
 * guesses at the same moment count too, and given back when it was right.
 */
@Injectable()
export class AttemptsService {
  /** Those that were throttled are counted nowhere else. */
  private readonly counter: Counter;
  private readonly turns = new Turns(PATIENCE_MS, LINE);

  constructor(
    private readonly sql: Sql,
    registry: Registry,
    chores: Chores,
  ) {
    this.counter = new Counter({
      name: 'password_attempts_total',
      help: 'Passwords that were checked, or not even that.',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    });
    for (const kind of ['login', 'own_password'])
      for (const outcome of ['success', 'failure', 'throttled']) this.counter.inc({ kind, outcome }, 0);
    chores.every(CLEARED_EVERY_MS, 'Clearing attempts', () => this.clear());
  }

  /**
   * A login from an address, under a name as it was given: no one learns which names are one user's. The limit for a
   * name from everywhere lets strangers keep its user out for a minute; without it they would guess from many addresses.
   * @throws DomainError too-many-requests, whether the password is right or not
   */
  login<User>(
    name: string,
    { address = '' }: Actor,
    check: (network: string) => Promise<User | null>,
  ): Promise<User | null> {
    const network = networkOf(address);
    const here = { of: `login from ${network} ${name}`, allowed: 5 };
    // A name may hold anything: what is before it has to tell the two apart by itself.
    const anywhere = { of: `login anywhere ${name}`, allowed: 20 };
    // In turn, so that fifty phones of one account that log in together are not fifty attempts that may be wrong.
    const attempt = () => this.attempt('login', [here, anywhere], () => check(network));
    return this.turns.run(name.toLowerCase(), attempt);
  }

  /** Of the caller's own password: who finds a phone unlocked must not find out the password of its owner. */
  async ownPassword(userId: number, check: () => Promise<boolean>): Promise<boolean> {
    const bucket = { of: `own password ${userId}`, allowed: 5 };
    return (await this.attempt('own_password', [bucket], async () => (await check()) || null)) ?? false;
  }

  /** Null is a failure. What throws, such as a line that is full, was no attempt. */
  private async attempt<T>(
    kind: string,
    buckets: Bucket[],
    check: () => Promise<T | null>,
  ): Promise<T | null> {
    const count = (outcome: string) => this.counter.inc({ kind, outcome });
    const taken: Bucket[] = [];
    let result: T | null;
    try {
      for (const bucket of buckets) {
        const seconds = await this.take(bucket);
        if (seconds > 0) {
          count('throttled');
          throw tooMany(seconds, authMessages.too_many_attempts);
        }
        taken.push(bucket);
      }
      result = await check();
    } catch (error) {
      // Not waited for, since the database may be the reason; what is not given back ends by itself.
      for (const bucket of taken) this.giveBack(bucket).catch(() => undefined);
      throw error;
    }
    count(result === null ? 'failure' : 'success');
    if (result === null) return null;
    const [first, ...others] = buckets as [Bucket, ...Bucket[]];
    await this.forget(first);
    for (const bucket of others) await this.giveBack(bucket);
    return result;
  }

  /** Counts an attempt, unless there were as many as are allowed; then resolves to the seconds until the next may come. */
  private async take({ of, allowed }: Bucket): Promise<number> {
    const [row] = await this.sql.query<{ seconds: number }>({
      name: 'attempt-take',
      // The last attempts are kept, as many as are allowed; the first of them is the oldest.
      text: `
        WITH taken AS (
          INSERT INTO password_attempts AS a (key_hash, made_at) VALUES (${KEY}, ARRAY[clock_timestamp()])
          ON CONFLICT (key_hash) DO UPDATE
          SET made_at = (a.made_at || clock_timestamp())[cardinality(a.made_at) + 2 - $2:]
          WHERE cardinality(a.made_at) < $2 OR a.made_at[1] <= clock_timestamp() - ${MINUTE}
          RETURNING key_hash
        )
        SELECT CASE WHEN EXISTS (SELECT FROM taken) THEN 0 ELSE greatest(1, coalesce((
          SELECT ceil(extract(epoch FROM made_at[1] + ${MINUTE} - clock_timestamp()))
          FROM password_attempts WHERE key_hash = ${KEY}), 60))::integer END AS seconds`,
      values: [of, allowed],
    });
    return row?.seconds ?? 0;
  }

  private async giveBack({ of }: Bucket): Promise<void> {
    await this.sql.query({
      name: 'attempt-give-back',
      text: `UPDATE password_attempts SET made_at = trim_array(made_at, 1)
             WHERE key_hash = ${KEY} AND cardinality(made_at) > 0`,
      values: [of],
    });
  }

  private async forget({ of }: Bucket): Promise<void> {
    await this.sql.query({
      name: 'attempt-forget',
      text: `DELETE FROM password_attempts WHERE key_hash = ${KEY}`,
      values: [of],
    });
  }

  async clear(): Promise<void> {
    await this.sql.query({
      name: 'attempts-clear',
      text: `DELETE FROM password_attempts
             WHERE cardinality(made_at) = 0 OR made_at[cardinality(made_at)] <= now() - ${MINUTE}`,
    });
  }
}
