import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { RecordEntity } from '../database/record.entity.js';
import type { FieldValues } from '../fields/values.js';
import { AmortizationCategory, Brand, Category } from '../reference/reference.entity.js';

@Entity('articles')
export class Article extends RecordEntity {
  @Column({ type: 'varchar', length: 255 })
  name: string;

  @Column({ type: 'varchar', length: 100, nullable: true })
  reference: string | null;

  @Column({ type: 'integer', nullable: true })
  brand_id: number | null;

  @ManyToOne(() => Brand, { nullable: true })
  @JoinColumn({ name: 'brand_id' })
  brand: Brand | null;

  @Column({ type: 'integer', nullable: true })
  category_id: number | null;

  @ManyToOne(() => Category, { nullable: true })
  @JoinColumn({ name: 'category_id' })
  category: Category | null;

  @Column({ type: 'integer', nullable: true })
  amortization_category_id: number | null;

  @ManyToOne(() => AmortizationCategory, { nullable: true })
  @JoinColumn({ name: 'amortization_category_id' })
  amortization_category: AmortizationCategory | null;

  @Column({ type: 'boolean', default: true })
  is_active: boolean;

  /** Of one's own, by their keys. */
  @Column({ type: 'jsonb', default: {} })
  fields: FieldValues;

  /** The attachment that is shown of it; kept by a trigger. */
  @Column({ type: 'integer', nullable: true, insert: false, update: false })
  photo_id: number | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deleted_at: Date | null;
}
