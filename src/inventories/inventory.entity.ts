import { Column, Entity, JoinColumn, ManyToOne, VirtualColumn } from 'typeorm';
import { User } from '../auth/user.entity.js';
import { RecordEntity } from '../database/record.entity.js';

/** The figure of a closed session is frozen in its row; that of an open one is the sum of its counters. */
const figure = (name: 'scanned' | 'total') => (session: string) =>
  `SELECT coalesce(${session}.final_${name}, sum(c.${name}), 0) FROM inventory_counters c
   WHERE c.inventory_id = ${session}.id`;

/** As it was when it was written. */
export interface Reopening {
  /** An instant. */
  at: string;
  by: { id: number; name: string };
  reason: string;
}

/** The places and categories of a session; null for all. */
export interface Scope {
  locations: { id: number; name: string }[] | null;
  categories: { id: number; name: string }[] | null;
}

const named = (table: string, ids: string): string =>
  `(SELECT json_agg(json_build_object('id', s.id, 'name', s.name) ORDER BY s.id) FROM ${table} s WHERE s.id = ANY (${ids}))`;

/** What a session `i` expects, as SQL: null for everything. */
export const scopeOf = (i: string): string =>
  `CASE WHEN num_nonnulls(${i}.scope_location_ids, ${i}.scope_category_ids) > 0 THEN json_build_object(
     'locations', ${named('locations', `${i}.scope_location_ids`)},
     'categories', ${named('categories', `${i}.scope_category_ids`)}) END`;

/** Changes whenever one of those is called otherwise. */
export const scopeVersion = (i: string): string =>
  `(SELECT sum(version)::bigint FROM (
     SELECT version FROM locations WHERE id = ANY (${i}.scope_location_ids)
     UNION ALL SELECT version FROM categories WHERE id = ANY (${i}.scope_category_ids)) s)`;

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

  @VirtualColumn({ type: 'json', query: (session) => `SELECT ${scopeOf(session)}` })
  scope: Scope | null;

  @VirtualColumn({ type: 'bigint', query: scopeVersion })
  scope_version: number | null;

  @VirtualColumn({ type: 'integer', query: figure('scanned') })
  scanned: number;

  @VirtualColumn({ type: 'integer', query: figure('total') })
  total: number;
}
