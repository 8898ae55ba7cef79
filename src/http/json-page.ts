import type { Response } from 'express';
import { drain } from '../common/drain.js';
import { jsonOf } from '../database/json-row.js';
import type { JsonRow } from '../database/json-row.js';
import { sendPacked } from './compression.js';

/** The answer of a list whose rows are JSON already. */
export class JsonPage {
  constructor(
    readonly rows: JsonRow[],
    private readonly meta: object,
  ) {}

  send(response: Response): void {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    const data = drain(this.rows, ({ json }) => json).join();
    sendPacked(response, `{"data":[${data}],"meta":${jsonOf(this.meta)}}`, 'latin1');
  }
}
