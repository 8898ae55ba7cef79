import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { RecordEntity } from '../database/record.entity.js';
import { Tier } from '../tiers/tier.entity.js';

export const EQUIPMENT_STATUSES = ['in_service', 'under_repair', 'out_of_service'] as const;
export type EquipmentStatus = (typeof EQUIPMENT_STATUSES)[number];

@Entity('equipments')
export class Equipment extends RecordEntity {
  @Column({ type: 'varchar', length: 255 })
  name: string;

  @Column({ type: 'varchar', length: 100 })
  reference: string;

  @Column({ type: 'varchar', length: 255, nullable: true })
  serial_number: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  brand: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  model: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  category: string | null;

  @Column({ type: 'varchar', length: 20, default: 'in_service' })
  status: EquipmentStatus;

  @Column({ type: 'varchar', length: 255, nullable: true })
  location: string | null;

  @Column({ type: 'date', nullable: true })
  commissioned_on: string | null;

  @Column({ type: 'integer', nullable: true })
  tier_id: number | null;

  @ManyToOne(() => Tier, { nullable: true })
  @JoinColumn({ name: 'tier_id' })
  tier: Tier | null;

  @Column({ type: 'text', nullable: true })
  notes: string | null;

  /** The attachment that is shown of it; kept by a trigger. */
  @Column({ type: 'integer', nullable: true, insert: false, update: false })
  photo_id: number | null;
}
