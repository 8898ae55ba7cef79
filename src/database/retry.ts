import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState } from './errors.js';

/** Serialization failure and deadlock: the database made this one give way, and has written nothing of it. */
const GAVE_WAY = /^(40001|40P01)$/;
const MAX_TRIES = 3;
const PAUSE_MS = 30;

/**
 * Runs a transaction, or a statement that is one by itself; at most three times where it has to give way to others,
 * the `tries`th being the first here.
 */
export async function retried<T>(transaction: () => Promise<T>, tries = 1): Promise<T> {
  for (; ; tries++) {
    try {
      return await transaction();
    } catch (error) {
      if (tries === MAX_TRIES || !GAVE_WAY.test(sqlState(error) ?? '')) throw error;
      await sleep(Math.random() * PAUSE_MS * tries); // at random, or those who met would meet again
    }
  }
}
