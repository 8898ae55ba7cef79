import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { Article } from '../articles/article.entity.js';
import { RecordEntity } from '../database/record.entity.js';
import type { FieldValues } from '../fields/values.js';
import { Location } from '../locations/location.entity.js';
import { Supplier } from '../suppliers/supplier.entity.js';
import { Tier } from '../tiers/tier.entity.js';

export const DISPOSAL_REASONS = ['sold', 'scrapped', 'lost', 'stolen', 'donated', 'returned'] as const;
export type DisposalReason = (typeof DISPOSAL_REASONS)[number];

@Entity('purchases')
export class Purchase extends RecordEntity {
  @Column('integer')
  article_id: number;

  @ManyToOne(() => Article)
  @JoinColumn({ name: 'article_id' })
  article: Article;

  @Column({ type: 'integer', nullable: true })
  supplier_id: number | null;

  @ManyToOne(() => Supplier, { nullable: true })
  @JoinColumn({ name: 'supplier_id' })
  supplier: Supplier | null;

  @Column({ type: 'integer', nullable: true })
  location_id: number | null;

  @ManyToOne(() => Location, { nullable: true })
  @JoinColumn({ name: 'location_id' })
  location: Location | null;

  /** Who has it, as people call them. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  assigned_to: string | null;

  @Column({ type: 'integer', nullable: true })
  assigned_tier_id: number | null;

  @ManyToOne(() => Tier, { nullable: true })
  @JoinColumn({ name: 'assigned_tier_id' })
  assigned_tier: Tier | null;

  /** Unique for ever and whatever the case; a trigger registers every code that was ever used. */
  @Column({ type: 'varchar', length: 64 })
  code: string;

  /** Of one's own, by their keys. */
  @Column({ type: 'jsonb', default: {} })
  fields: FieldValues;

  /** Pure identity URI of the RFID tag; like `gs1` a code of its own, registered under the key of its GIAI or GRAI. */
  @Column({ type: 'varchar', length: 128, nullable: true })
  epc: string | null;

  /** Keys of GIAIs and GRAIs, such as `(8004)061414112345400`. */
  @Column({ type: 'varchar', length: 40, array: true })
  gs1: string[];

  @Column('date')
  purchase_date: string;

  /** Euros and cents. */
  @Column({ type: 'numeric', precision: 12, scale: 2, nullable: true })
  purchase_price: number | null;

  @Column({ type: 'date', nullable: true })
  warranty_end_date: string | null;

  /** Null stands for the purchase date. */
  @Column({ type: 'date', nullable: true })
  in_service_date: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  serial_number: string | null;

  @Column({ type: 'text', nullable: true })
  notes: string | null;

  /** The last day on which it was there; null for what is there still, and so all that follows. */
  @Column({ type: 'date', nullable: true })
  disposed_on: string | null;

  @Column({ type: 'varchar', length: 10, nullable: true })
  disposal_reason: DisposalReason | null;

  /** Euros and cents. */
  @Column({ type: 'numeric', precision: 12, scale: 2, nullable: true })
  disposal_proceeds: number | null;

  @Column({ type: 'varchar', length: 500, nullable: true })
  disposal_note: string | null;

  /** The attachment that is shown of it; kept by a trigger. */
  @Column({ type: 'integer', nullable: true, insert: false, update: false })
  photo_id: number | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deleted_at: Date | null;
}
