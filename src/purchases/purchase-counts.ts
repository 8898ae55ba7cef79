import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Chores } from '../common/chores.js';
import { MAX_ID } from '../contract/fields.js';
import type { Counts, Place } from '../contract/pagination.js';
import { Sql } from '../database/sql.js';

/** Ids in a block, as the triggers of the table have it. */
const BLOCK = 1000;
const EVERY_MS = 60_000;

/**
 * How many purchases there are that are not deleted, by blocks of ids. The database adds a row for each statement that
 * changes that; what they add up to is always exact.
 */
@Injectable()
export class PurchaseCounts implements Counts, OnApplicationBootstrap {
  constructor(
    private readonly sql: Sql,
    private readonly chores: Chores,
  ) {}

  onApplicationBootstrap(): void {
    this.chores.every(EVERY_MS, 'Adding up the counts of purchases', () => this.addUp());
  }

  readonly counted = async (): Promise<number> => {
    const [row] = await this.sql.query<{ total: number }>({
      name: 'purchases-total',
      text: `SELECT coalesce(sum(live), 0)::integer AS total FROM purchase_counts`,
    });
    return row!.total;
  };

  /** The block that so many come before, and how many of its own do. */
  readonly place = async (offset: number, direction: 'ASC' | 'DESC'): Promise<Place> => {
    const [row] = await this.sql.query<{ block: number; before: number }>({
      name: `purchases-place-${direction}`,
      text: `
        SELECT block, (upto - live)::integer AS before FROM (
          SELECT block, sum(live) AS live, sum(sum(live)) OVER (ORDER BY block ${direction}) AS upto
          FROM purchase_counts GROUP BY block
        ) blocks WHERE upto > $1 ORDER BY upto LIMIT 1`,
      values: [offset],
    });
    if (!row) return { offset };
    const { block, before } = row;
    const last = Math.min((block + 1) * BLOCK - 1, MAX_ID);
    return { from: direction === 'ASC' ? block * BLOCK : last, offset: offset - before };
  };

  /** Makes one row of those of a block. Whoever does so at the same time finds none of them any more. */
  async addUp(): Promise<void> {
    await this.sql.query({
      name: 'purchases-add-up',
      text: `
        WITH several AS (
          SELECT block FROM purchase_counts GROUP BY block HAVING count(*) > 1
        ), gone AS (
          DELETE FROM purchase_counts WHERE block IN (SELECT block FROM several) RETURNING block, live
        )
        INSERT INTO purchase_counts SELECT block, sum(live) FROM gone GROUP BY block HAVING sum(live) <> 0`,
    });
  }
}
