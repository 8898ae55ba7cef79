import { Column, Entity, JoinColumn, ManyToOne, VirtualColumn } from 'typeorm';
import { User } from '../auth/user.entity.js';
import { RecordEntity } from '../database/record.entity.js';

/** The figure of a closed session is frozen in its row; that of an open one is the sum of its counters. */
const figure = (name: 'scanned' | 'total') => (session: string) =>
  `SELECT coalesce(${session}.final_${name}, sum(c.${name}), 0) FROM inventory_counters c
   WHERE c.inventory_id = ${session}.id`;

/** As it was when it was written: instants are texts. */
export interface Reopening {
  at: string;
  by: { id: number; name: string };
  reason: string;
}

/** An inventory session. */
@Entity('inventories')
export class Inventory extends RecordEntity {
  @Column('integer')
  year: number;

  @Column('date')
  inventory_date: string;

  @Column({ type: 'varchar', length: 255, nullable: true })
  label: string | null;

  @Column('integer')
  opened_by: number;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'opened_by' })
  opener: User;

  /** Null while the session is open. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  closed_at: Date | null;

  @Column({ type: 'integer', nullable: true })
  closed_by: number | null;

  @ManyToOne(() => User, { nullable: true })
  @JoinColumn({ name: 'closed_by' })
  closer: User | null;

  @Column({ type: 'integer', nullable: true })
  final_scanned: number | null;

  @Column({ type: 'integer', nullable: true })
  final_total: number | null;

  /** Places of which it expects what lies in or below; null for all. */
  @Column({ type: 'integer', array: true, nullable: true })
  scope_location_ids: number[] | null;

  /** Null for all. */
  @Column({ type: 'integer', array: true, nullable: true })
  scope_category_ids: number[] | null;

  /** When it was opened again after its closing, by whom and why. */
  @Column({ type: 'jsonb', default: [] })
  reopened: Reopening[];

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deleted_at: Date | null;

  @VirtualColumn({ type: 'integer', query: figure('scanned') })
  scanned: number;

  @VirtualColumn({ type: 'integer', query: figure('total') })
  total: number;
}
