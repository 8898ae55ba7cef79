import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { User } from '../auth/user.entity.js';
import { Location } from '../locations/location.entity.js';
import { Purchase } from '../purchases/purchase.entity.js';

export const RESOLUTIONS = ['moved', 'ignored'] as const;
export type MisplacedResolution = (typeof RESOLUTIONS)[number];

/** A purchase that a session found where it does not belong. */
@Entity('inventory_misplaced')
export class Misplaced {
  @PrimaryColumn('integer')
  inventory_id: number;

  @PrimaryColumn('integer')
  purchase_id: number;

  @ManyToOne(() => Purchase)
  @JoinColumn({ name: 'purchase_id' })
  purchase: Purchase;

  @Column('bigint')
  scan_id: number;

  @Column('integer')
  expected_id: number;

  @ManyToOne(() => Location)
  @JoinColumn({ name: 'expected_id' })
  expected: Location;

  @Column('integer')
  found_id: number;

  @ManyToOne(() => Location)
  @JoinColumn({ name: 'found_id' })
  found: Location;

  @Column({ type: 'timestamptz', precision: 3 })
  found_at: Date;

  @Column('integer')
  found_by: number;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'found_by' })
  finder: User;

  /** Null until somebody has decided. */
  @Column({ type: 'varchar', length: 10, nullable: true })
  resolution: MisplacedResolution | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  resolved_at: Date | null;

  @Column({ type: 'integer', nullable: true })
  resolved_by: number | null;

  @ManyToOne(() => User, { nullable: true })
  @JoinColumn({ name: 'resolved_by' })
  resolver: User | null;

  @Column({ type: 'timestamptz', precision: 3 })
  changed_at: Date;
}
