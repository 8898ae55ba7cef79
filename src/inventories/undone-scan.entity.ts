import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A scan that was taken back. */
@Entity('inventory_undone_scans')
export class UndoneScan {
  @PrimaryColumn('integer')
  inventory_id: number;

  @PrimaryColumn('bigint')
  scan_id: number;

  @Column('integer')
  purchase_id: number;

  @Column({ type: 'timestamptz', precision: 3 })
  undone_at: Date;

  @Column('integer')
  undone_by: number;

  /** The number under which it went on as expected, and was not undone then. */
  @Column({ type: 'bigint', nullable: true })
  continued_as: number | null;
}
