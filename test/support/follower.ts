/* eslint-disable @typescript-eslint/no-explicit-any -- what events hold is asserted, not typed */
import { request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Client } from './client.js';
import { until } from './process.js';

export interface LiveEvent {
  event: string;
  id: string;
  data: any;
  /** When it came, by performance.now(). */
  at: number;
}

/** Follows a session as an app does. */
export class Follower {
  readonly events: LiveEvent[] = [];
  comments = 0;
  /** Milliseconds that the stream has told to wait before coming back. */
  retry?: number;
  isOver = false;
  /** That what came in gzip was none, or not all of it. */
  damage?: Error;
  response?: IncomingMessage;
  private readonly asked: ClientRequest;
  private text = '';

  constructor({ url, token }: Client, session: number, lastEventId?: string, encoding?: string) {
    this.asked = request(`${url}/api/v1/inventories/${session}/events`, {
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        ...(encoding !== undefined && { 'accept-encoding': encoding }),
      },
    });
    this.asked.on('response', (response) => {
      this.response = response;
      const isPacked = response.headers['content-encoding'] === 'gzip';
      const plain = isPacked ? pipeline(response, createGunzip(), () => undefined) : response;
      plain.setEncoding('utf8');
      plain.on('data', (text: string) => this.take(text));
      plain.on('close', () => (this.isOver = true));
      plain.on('error', (error) => (this.damage = error));
      response.on('error', () => undefined);
    });
    this.asked.on('error', () => (this.isOver = true));
    this.asked.end();
  }

  get lastEventId(): string {
    return this.events.at(-1)!.id;
  }

  of(...names: string[]): LiveEvent[] {
    return this.events.filter(({ event }) => names.includes(event));
  }

  /** Waits until so many of these have come. */
  async has(count: number, ...names: string[]): Promise<LiveEvent[]> {
    await until(() => this.of(...names).length >= count || this.isOver);
    return this.of(...names);
  }

  async over(): Promise<void> {
    await until(() => this.isOver);
  }

  leave(): void {
    this.asked.destroy();
  }

  private take(text: string): void {
    this.text += text;
    const blocks = this.text.split('\n\n');
    this.text = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => {
          const at = line.indexOf(':');
          return [line.slice(0, at), line.slice(at + 1).trim()];
        }),
      );
      if (fields.has('')) this.comments++;
      if (fields.has('retry')) this.retry = Number(fields.get('retry'));
      if (!fields.has('event')) continue;
      const data = JSON.parse(fields.get('data')!);
      this.events.push({
        event: fields.get('event')!,
        id: fields.get('id')!,
        data,
        at: performance.now(),
      });
    }
  }
}
