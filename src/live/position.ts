/** The order of events of one instant. */
export const KINDS = ['scan', 'undone', 'unknown', 'reopened', 'closed'] as const;
export type Kind = (typeof KINDS)[number];

/** After which event a listener goes on: its instant, its place in KINDS from 1 on, and the id of its row. */
export interface Position {
  at: Date;
  rank: number;
  id: number;
}

/** Before all that happens at this instant or later. */
export const beginOf = (at: Date): Position => ({ at, rank: 0, id: 0 });

/** After all that happened at its instant, which has milliseconds. */
export const endOf = ({ at }: Position): Date => new Date(at.getTime() + 1);

/** The id of an event: the same on every instance, and after every restart. */
export const idOf = (inventoryId: number, { at, rank, id }: Position): string =>
  `${inventoryId}-${at.getTime()}-${rank}-${id}`;

/** Null for what is no id of this session. */
export function readId(inventoryId: number, text: string): Position | null {
  const [, session, at, rank, id] = /^(\d{1,10})-(\d{1,13})-(\d)-(\d{1,15})$/.exec(text) ?? [];
  if (Number(session) !== inventoryId) return null;
  return { at: new Date(Number(at)), rank: Number(rank), id: Number(id) };
}
