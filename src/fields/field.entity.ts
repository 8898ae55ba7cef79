import { Column, Entity } from 'typeorm';
import { RecordEntity } from '../database/record.entity.js';

/** What has fields of one's own. */
export const HOLDERS = ['article', 'purchase'] as const;
export type Holder = (typeof HOLDERS)[number];
export const TABLES: Record<Holder, string> = { article: 'articles', purchase: 'purchases' };

export const FIELD_TYPES = ['text', 'number', 'date', 'boolean', 'choice'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** A field of one's own: its values stand in the rows that have them, under its key. */
@Entity('fields')
export class OwnField extends RecordEntity {
  @Column({ type: 'varchar', length: 100 })
  name: string;

  /** Made of the name, once and for all. */
  @Column({ type: 'varchar', length: 60 })
  key: string;

  @Column({ type: 'varchar', length: 10 })
  applies_to: Holder;

  @Column({ type: 'varchar', length: 10 })
  type: FieldType;

  /** Of a choice; null for the others. */
  @Column({ type: 'varchar', length: 100, array: true, nullable: true })
  choices: string[] | null;

  @Column({ type: 'boolean', default: false })
  is_required: boolean;

  @Column({ type: 'boolean', default: true })
  is_active: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deleted_at: Date | null;
}
