import { Column, Entity } from 'typeorm';
import { RecordEntity } from '../database/record.entity.js';
import type { Subscription } from './events.js';

@Entity('webhooks')
export class Webhook extends RecordEntity {
  @Column({ type: 'varchar', length: 2048 })
  url: string;

  @Column({ type: 'varchar', length: 40, array: true })
  events: Subscription[];

  @Column({ type: 'varchar', length: 500, nullable: true })
  description: string | null;

  @Column({ type: 'boolean', default: true })
  is_active: boolean;

  /** Why the service has switched it off by itself. */
  @Column({ type: 'varchar', length: 10, nullable: true })
  disabled_reason: 'gone' | 'failing' | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deleted_at: Date | null;
}
