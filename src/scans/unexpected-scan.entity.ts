import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { User } from '../auth/user.entity.js';
import type { Condition, Source } from '../inventories/inventory-line.entity.js';
import { Location } from '../locations/location.entity.js';
import { Purchase } from '../purchases/purchase.entity.js';

export const UNEXPECTED_REASONS = ['out-of-scope', 'disposed'] as const;
export type UnexpectedReason = (typeof UNEXPECTED_REASONS)[number];

/** A purchase that was scanned in a session that does not expect it. */
@Entity('inventory_unexpected')
export class UnexpectedScan {
  @PrimaryColumn('integer')
  inventory_id: number;

  @PrimaryColumn('integer')
  purchase_id: number;

  @ManyToOne(() => Purchase)
  @JoinColumn({ name: 'purchase_id' })
  purchase: Purchase;

  /** Why it was not expected. */
  @Column({ type: 'varchar', length: 12 })
  reason: UnexpectedReason;

  /** Of the same numbers as the scans of lines. */
  @Column('bigint')
  scan_id: number;

  @Column({ type: 'timestamptz', precision: 3 })
  scanned_at: Date;

  @Column('integer')
  scanned_by: number;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'scanned_by' })
  scanner: User;

  @Column({ type: 'timestamptz', precision: 3 })
  recorded_at: Date;

  /** Where it was found. */
  @Column({ type: 'integer', nullable: true })
  location_id: number | null;

  @ManyToOne(() => Location, { nullable: true })
  @JoinColumn({ name: 'location_id' })
  location: Location | null;

  @Column({ type: 'uuid', nullable: true })
  client_id: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  device_scanned_at: Date | null;

  @Column({ type: 'varchar', length: 10, nullable: true })
  condition: Condition | null;

  @Column({ type: 'varchar', length: 500, nullable: true })
  note: string | null;

  /** What has read it, where the phone told. */
  @Column({ type: 'varchar', length: 7, nullable: true })
  source: Source | null;
}
