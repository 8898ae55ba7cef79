import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { User } from '../auth/user.entity.js';
import type { Condition, Source } from '../inventories/inventory-line.entity.js';
import { Location } from '../locations/location.entity.js';
import { Purchase } from '../purchases/purchase.entity.js';

export const LATE_STATUSES = ['waiting', 'accepted', 'refused'] as const;
export type LateStatus = (typeof LATE_STATUSES)[number];

/** A scan that was made before its session was closed, and arrived after. */
@Entity('inventory_late_scans')
export class LateScan {
  @PrimaryColumn('bigint')
  id: number;

  @Column('integer')
  inventory_id: number;

  @Column({ type: 'uuid', nullable: true })
  client_id: string | null;

  @Column({ type: 'varchar', length: 2048 })
  code: string;

  @Column({ type: 'varchar', length: 2048 })
  cleaned: string;

  @Column('text')
  code_key: string;

  /** Null where nobody knew the code. */
  @Column({ type: 'integer', nullable: true })
  purchase_id: number | null;

  @ManyToOne(() => Purchase, { nullable: true })
  @JoinColumn({ name: 'purchase_id' })
  purchase: Purchase | null;

  @Column({ type: 'timestamptz', precision: 3 })
  device_scanned_at: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  received_at: Date;

  @Column('integer')
  scanned_by: number;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'scanned_by' })
  scanner: User;

  @Column({ type: 'integer', nullable: true })
  location_id: number | null;

  @ManyToOne(() => Location, { nullable: true })
  @JoinColumn({ name: 'location_id' })
  location: Location | null;

  @Column({ type: 'varchar', length: 10, nullable: true })
  condition: Condition | null;

  @Column({ type: 'varchar', length: 500, nullable: true })
  note: string | null;

  /** What has read it, where the phone told. */
  @Column({ type: 'varchar', length: 7, nullable: true })
  source: Source | null;

  @Column({ type: 'varchar', length: 10, default: 'waiting' })
  status: LateStatus;

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
