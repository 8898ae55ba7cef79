import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DeliveryStatus } from './events.js';

export interface Try {
  at: string;
  /** Of the answer; null where none came. */
  status: number | null;
  ms: number;
  error: string | null;
}

/** A message for one webhook. */
@Entity('webhook_deliveries')
export class Delivery {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: number;

  @Column('integer')
  webhook_id: number;

  @Column('uuid')
  message_id: string;

  @Column({ type: 'varchar', length: 40 })
  event: string;

  /** Whom it follows in order: a purchase, or a session; null for one that goes beside the others. */
  @Column({ type: 'varchar', length: 40, nullable: true })
  subject: string | null;

  @Column({ type: 'text', select: false })
  body: string;

  @Column({ type: 'varchar', length: 10 })
  status: DeliveryStatus;

  /** When it is tried next; null also for one that waits for another of the same subject. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  due_at: Date | null;

  /** Tries in vain, since it was sent for the first time or again. */
  @Column('smallint')
  failures: number;

  @Column('jsonb')
  tries: Try[];

  @Column({ type: 'text', nullable: true })
  answer: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at: Date;
}
