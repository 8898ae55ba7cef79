import { Injectable } from '@nestjs/common';
import { Chores } from '../common/chores.js';
import type { Permission, Principal } from './access.js';
import { TokensService } from './tokens.service.js';

/** A right that was lost counts within a second everywhere. */
const CHECKED_EVERY_MS = 500;

interface Holder {
  user_id: number;
  token_id: number;
  permission: Permission;
  end: () => void;
}

/** Those whose request goes on and on: told when their token has ended, or they have lost the right to it. */
@Injectable()
export class Standing {
  private readonly holders = new Set<Holder>();

  constructor(
    private readonly tokens: TokensService,
    chores: Chores,
  ) {
    chores.every(CHECKED_EVERY_MS, 'Check of those who follow', () => this.check());
  }

  /** Calls `end` once the right is gone; what it returns gives that up. */
  hold({ id: user_id, token_id }: Principal, permission: Permission, end: () => void): () => void {
    const holder = { user_id, token_id, permission, end };
    this.holders.add(holder);
    return () => this.holders.delete(holder);
  }

  /** How many requests of a user go on now, over all tokens. */
  countOf(userId: number): number {
    return [...this.holders].filter(({ user_id }) => user_id === userId).length;
  }

  /** However many there are, one statement for each right. */
  private async check(): Promise<void> {
    for (const permission of new Set([...this.holders].map((holder) => holder.permission))) {
      const asked = [...this.holders].filter((holder) => holder.permission === permission);
      const good = await this.tokens.whichMay(
        permission,
        asked.map(({ token_id }) => token_id),
      );
      for (const { token_id, end } of asked) if (!good.has(token_id)) end();
    }
  }
}
