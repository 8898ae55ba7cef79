import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { Parser } from 'pg-protocol/dist/parser.js';

interface Message {
  name: string;
}
type Cells = (string | null)[];

/** What pg's parser of messages has, and its types do not tell. */
const Messages = Parser as unknown as new () => {
  parse(bytes: Buffer, hear: (message: Message) => void): void;
  handlePacket(at: number, code: number, length: number, bytes: Buffer): Message;
};

/** The code of a message that is a row. */
const DATA_ROW = 0x44;

/** A row as PostgreSQL has sent it, to be read before the next one is: then its bytes may be others. */
export class SentRow {
  readonly name = 'dataRow';

  constructor(
    readonly bytes: Buffer,
    /** Where it says how many cells it has, before each of which is its length. */
    readonly at: number,
    readonly length: number,
    private readonly cells: () => Cells,
  ) {}

  /** Its cells as texts, as pg has them. */
  get fields(): Cells {
    return this.cells();
  }
}

class RowsAsSent extends Messages {
  override handlePacket(at: number, code: number, length: number, bytes: Buffer): Message {
    if (code !== DATA_ROW) return super.handlePacket(at, code, length, bytes);
    const cells = () => (super.handlePacket(at, code, length, bytes) as SentRow).fields;
    return new SentRow(bytes, at, length, cells);
  }
}

/** Has a connection that is not open yet tell rows as they were sent, so that whoever needs no texts of their cells makes none. */
export function tellAsSent({ connection }: pg.Client): void {
  const attachListeners = (stream: Duplex): void => {
    const messages = new RowsAsSent();
    const hear = (message: Message): boolean =>
      connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
    stream.on('data', (bytes: Buffer) => messages.parse(bytes, hear));
  };
  Object.assign(connection, { attachListeners });
}
