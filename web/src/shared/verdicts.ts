import type { ScanResultDto } from '@recense/client';
import type { TextKey } from './texts.js';

const SENTENCES: Record<string, TextKey> = {
  recorded: 'verdict.recorded',
  misplaced: 'verdict.misplaced',
  moved: 'verdict.moved',
  kept: 'verdict.kept',
  'already-scanned': 'verdict.already-scanned',
  'out-of-scope': 'verdict.out-of-scope',
  disposed: 'verdict.disposed',
  'unknown-code': 'verdict.unknown-code',
  'session-closed': 'verdict.session-closed',
  late: 'verdict.late',
  'not-taken': 'verdict.not-taken',
  undone: 'verdict.undone',
};

/** The word for it; undefined where only the service has one. */
export const sentenceOf = (reason: string): TextKey | undefined => SENTENCES[reason];

/** Whether somebody else has scanned it before: what is said of it would be written over what he has said. */
export const isOfAnother = ({ first_scan: first }: ScanResultDto, userId: number): boolean =>
  first !== undefined && first.by.id !== userId;
