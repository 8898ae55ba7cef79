import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { User } from '../auth/user.entity.js';
import type { LineError } from './lines.js';

export const IMPORT_STATUSES = ['checking', 'checked', 'writing', 'done', 'refused', 'failed'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** A file that was sent to be imported. */
@Entity('imports')
export class Import {
  @PrimaryColumn('integer')
  id: number;

  @Column({ type: 'varchar', length: 40 })
  kind: string;

  @Column({ type: 'varchar', length: 20 })
  format: string;

  @Column({ type: 'varchar', length: 255 })
  file: string;

  @Column('boolean')
  dry_run: boolean;

  @Column({ type: 'varchar', length: 10, default: 'checking' })
  status: ImportStatus;

  /** Rows. */
  @Column({ type: 'integer', default: 0 })
  read: number;

  @Column({ type: 'integer', default: 0 })
  checked: number;

  @Column({ type: 'integer', default: 0 })
  inserted: number;

  @Column({ type: 'integer', default: 0 })
  updated: number;

  @Column({ type: 'integer', default: 0 })
  unchanged: number;

  /** As the errors, not for lists: together they may be large. */
  @Column({ type: 'jsonb', default: [], select: false })
  columns: { column: string; field: string | null }[];

  /** The first ones, with messages that are not rendered yet. */
  @Column({ type: 'jsonb', default: [], select: false })
  errors: LineError[];

  @Column({ type: 'integer', default: 0 })
  error_count: number;

  /** Why it failed; not rendered yet. */
  @Column({ type: 'text', nullable: true })
  detail: string | null;

  @Column('integer')
  created_by: number;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'created_by' })
  creator: User;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finished_at: Date | null;
}
