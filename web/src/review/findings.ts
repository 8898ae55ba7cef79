/** Takes a decision and says `done`. Where somebody else was faster that is told, and the lists are read anew too. */
export type Decide = (decision: () => Promise<unknown>, done: string) => Promise<void>;

/** What a list of findings is told: of which session, whether all, and how something is decided. */
export interface FindingsProps {
  id: number;
  isAll: boolean;
  /** Counts the decisions, after each of which lists are read anew. */
  times: number;
  /** Of a closed session nothing is decided. */
  isOpen: boolean;
  decide: Decide;
}
