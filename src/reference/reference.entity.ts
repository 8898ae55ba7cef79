import { Column, Entity } from 'typeorm';
import { RecordEntity } from '../database/record.entity.js';

abstract class NamedEntity extends RecordEntity {
  @Column({ type: 'varchar', length: 255 })
  name: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deleted_at: Date | null;
}

@Entity('brands')
export class Brand extends NamedEntity {}

@Entity('categories')
export class Category extends NamedEntity {}

export const AMORTIZATION_METHODS = ['linear', 'declining'] as const;
export type AmortizationMethod = (typeof AMORTIZATION_METHODS)[number];

@Entity('amortization_categories')
export class AmortizationCategory extends NamedEntity {
  @Column({ type: 'varchar', length: 10 })
  method: AmortizationMethod;

  @Column('integer')
  duration_years: number;

  /** Null for a linear category. */
  @Column({ type: 'numeric', precision: 4, scale: 2, nullable: true })
  declining_coefficient: number | null;
}
