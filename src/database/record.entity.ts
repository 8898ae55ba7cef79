import { Column, PrimaryGeneratedColumn } from 'typeorm';

/** What every table of a resource has. Properties are spelled as their columns and as the fields of the answers. */
export abstract class RecordEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: Date;

  /** The instant of the last change (see src/contract/sync.ts); written by a trigger. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at: Date;

  /** Grows with every change, for entity tags; written by a trigger. */
  @Column('bigint', { default: () => 'extract(epoch FROM now()) * 1000' })
  version: number;
}
