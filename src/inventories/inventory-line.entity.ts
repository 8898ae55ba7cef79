import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { User } from '../auth/user.entity.js';
import { Location } from '../locations/location.entity.js';
import { Inventory } from './inventory.entity.js';
import { Purchase } from '../purchases/purchase.entity.js';

/** What reads codes; `manual` is a hand that types. */
export const SOURCES = ['camera', 'scanner', 'rfid', 'manual'] as const;
export type Source = (typeof SOURCES)[number];

export const CONDITIONS = ['good', 'damaged', 'unusable'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** A purchase that a session expects, and its scan once there is one. */
@Entity('inventory_lines')
export class InventoryLine {
  @PrimaryColumn('integer')
  inventory_id: number;

  @ManyToOne(() => Inventory, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'inventory_id' })
  inventory: Inventory;

  @PrimaryColumn('integer')
  purchase_id: number;

  @ManyToOne(() => Purchase, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'purchase_id' })
  purchase: Purchase;

  /** In the order of the scans, over all sessions. */
  @Column({ type: 'bigint', nullable: true })
  scan_id: number | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  scanned_at: Date | null;

  @Column({ type: 'integer', nullable: true })
  scanned_by: number | null;

  @ManyToOne(() => User, { nullable: true, createForeignKeyConstraints: false })
  @JoinColumn({ name: 'scanned_by' })
  scanner: User | null;

  /** What the phone called its message. */
  @Column({ type: 'uuid', nullable: true })
  client_id: string | null;

  /** By the clock of the phone. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  device_scanned_at: Date | null;

  @Column({ type: 'varchar', length: 10, nullable: true })
  condition: Condition | null;

  @Column({ type: 'varchar', length: 500, nullable: true })
  note: string | null;

  /** What has read it, where the phone told. */
  @Column({ type: 'varchar', length: 7, nullable: true })
  source: Source | null;

  /** Where it was found. */
  @Column({ type: 'integer', nullable: true })
  location_id: number | null;

  @ManyToOne(() => Location, { nullable: true, createForeignKeyConstraints: false })
  @JoinColumn({ name: 'location_id' })
  location: Location | null;

  /** When it came to the list, where it counts from an instant before: null for what was recorded as it arrived. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  recorded_at: Date | null;
}
