import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { User } from '../auth/user.entity.js';
import type { Condition, Source } from '../inventories/inventory-line.entity.js';
import { Location } from '../locations/location.entity.js';
import { Purchase } from '../purchases/purchase.entity.js';

export const UNKNOWN_STATUSES = ['open', 'linked', 'dismissed'] as const;
export type UnknownStatus = (typeof UNKNOWN_STATUSES)[number];

/** A code that a session read and nobody knew, however often. */
@Entity('inventory_unknown_codes')
export class UnknownCode {
  @PrimaryColumn('bigint')
  id: number;

  @Column('integer')
  inventory_id: number;

  /** As it was read the first time. */
  @Column({ type: 'varchar', length: 2048 })
  code: string;

  @Column({ type: 'varchar', length: 2048 })
  cleaned: string;

  /** By which codes are the same; unique in the session. */
  @Column('text')
  code_key: string;

  @Column('integer')
  times: number;

  @Column({ type: 'timestamptz', precision: 3 })
  first_at: Date;

  @Column('integer')
  first_by: number;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'first_by' })
  first_reader: User;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  first_device_at: Date | null;

  @Column({ type: 'varchar', length: 7, nullable: true })
  first_source: Source | null;

  @Column({ type: 'varchar', length: 10, nullable: true })
  first_condition: Condition | null;

  @Column({ type: 'varchar', length: 500, nullable: true })
  first_note: string | null;

  @Column({ type: 'integer', nullable: true })
  first_location_id: number | null;

  @ManyToOne(() => Location, { nullable: true })
  @JoinColumn({ name: 'first_location_id' })
  first_location: Location | null;

  @Column({ type: 'timestamptz', precision: 3 })
  last_at: Date;

  @Column('integer')
  last_by: number;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'last_by' })
  last_reader: User;

  /** Where it was read, each place once, the first 20. */
  @Column('integer', { array: true })
  location_ids: number[];

  @Column('text', { array: true })
  notes: string[];

  @Column({ type: 'varchar', length: 10, default: 'open' })
  status: UnknownStatus;

  /** What it was linked to. */
  @Column({ type: 'integer', nullable: true })
  purchase_id: number | null;

  @ManyToOne(() => Purchase, { nullable: true })
  @JoinColumn({ name: 'purchase_id' })
  purchase: Purchase | null;

  /** Why it was dismissed. */
  @Column({ type: 'varchar', length: 500, nullable: true })
  reason: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  decided_at: Date | null;

  @Column({ type: 'integer', nullable: true })
  decided_by: number | null;

  @ManyToOne(() => User, { nullable: true })
  @JoinColumn({ name: 'decided_by' })
  decider: User | null;

  @Column({ type: 'timestamptz', precision: 3 })
  changed_at: Date;
}
