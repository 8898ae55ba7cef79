import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { Article } from '../articles/article.entity.js';
import { User } from '../auth/user.entity.js';
import { RecordEntity } from '../database/record.entity.js';
import { Equipment } from '../equipment/equipment.entity.js';
import { Inventory } from '../inventories/inventory.entity.js';
import { Purchase } from '../purchases/purchase.entity.js';

export const ATTACHMENT_KINDS = ['photo', 'invoice', 'manual', 'other'] as const;
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

/** A photo or a paper, of exactly one thing: a purchase, an article, a piece of equipment or a scan. */
@Entity('attachments')
export class Attachment extends RecordEntity {
  @Column({ type: 'integer', nullable: true })
  purchase_id: number | null;

  @ManyToOne(() => Purchase, { nullable: true })
  @JoinColumn({ name: 'purchase_id' })
  purchase: Purchase | null;

  @Column({ type: 'integer', nullable: true })
  article_id: number | null;

  @ManyToOne(() => Article, { nullable: true })
  @JoinColumn({ name: 'article_id' })
  article: Article | null;

  @Column({ type: 'integer', nullable: true })
  equipment_id: number | null;

  @ManyToOne(() => Equipment, { nullable: true })
  @JoinColumn({ name: 'equipment_id' })
  equipment: Equipment | null;

  /** The session of `scan_id`. */
  @Column({ type: 'integer', nullable: true })
  inventory_id: number | null;

  @ManyToOne(() => Inventory, { nullable: true })
  @JoinColumn({ name: 'inventory_id' })
  inventory: Inventory | null;

  @Column({ type: 'bigint', nullable: true })
  scan_id: number | null;

  @Column({ type: 'varchar', length: 10 })
  kind: AttachmentKind;

  /** Of the file, as its sender called it. */
  @Column({ type: 'varchar', length: 255 })
  name: string;

  /** Media type. */
  @Column({ type: 'varchar', length: 20 })
  type: string;

  /** In bytes. */
  @Column('integer')
  size: number;

  /** In pixels; null for what is no image, and so the next. */
  @Column({ type: 'integer', nullable: true })
  width: number | null;

  @Column({ type: 'integer', nullable: true })
  height: number | null;

  /** By which its bytes are kept, in hexadecimal digits. */
  @Column({ type: 'varchar', length: 64 })
  sha256: string;

  /** When somebody made it the cover of its thing. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  chosen_at: Date | null;

  @Column('integer')
  created_by: number;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'created_by' })
  creator: User;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deleted_at: Date | null;
}
