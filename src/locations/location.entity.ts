import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { RecordEntity } from '../database/record.entity.js';

/** How many levels the tree may have; a constraint holds it. */
export const MAX_LEVELS = 12;

@Entity('locations')
export class Location extends RecordEntity {
  @Column({ type: 'varchar', length: 255 })
  name: string;

  /** Unique for ever and whatever the case, among places; a trigger registers every code that was ever used. */
  @Column({ type: 'varchar', length: 64, nullable: true })
  code: string | null;

  @Column({ type: 'integer', nullable: true })
  parent_id: number | null;

  @ManyToOne(() => Location, { nullable: true })
  @JoinColumn({ name: 'parent_id' })
  parent: Location | null;

  /** The names from the root down, as people read them; written by a trigger. */
  @Column('text')
  path: string;

  /** The ids from the root down to its own; written by a trigger. */
  @Column('integer', { array: true })
  lineage: number[];

  @Column({ type: 'boolean', default: true })
  is_active: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deleted_at: Date | null;
}
