import { Column, Entity } from 'typeorm';
import { RecordEntity } from '../database/record.entity.js';

export const TIER_TYPES = ['customer', 'supplier', 'partner', 'other'] as const;
export type TierType = (typeof TIER_TYPES)[number];

/** A third party of the administration application. */
@Entity('tiers')
export class Tier extends RecordEntity {
  @Column({ type: 'varchar', length: 255 })
  name: string;

  @Column({ type: 'varchar', length: 100 })
  reference: string;

  @Column({ type: 'varchar', length: 20, default: 'other' })
  type: TierType;

  @Column({ type: 'varchar', length: 254, nullable: true })
  email: string | null;

  @Column({ type: 'varchar', length: 50, nullable: true })
  phone: string | null;

  @Column({ type: 'varchar', length: 500, nullable: true })
  address: string | null;

  @Column({ type: 'varchar', length: 20, nullable: true })
  postal_code: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  city: string | null;

  @Column({ type: 'varchar', length: 100, nullable: true })
  country: string | null;

  @Column({ type: 'boolean', default: true })
  is_active: boolean;
}
