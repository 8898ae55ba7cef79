import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { RecordEntity } from '../database/record.entity.js';
import { User } from './user.entity.js';

@Entity('access_tokens')
export class AccessToken extends RecordEntity {
  @Column('integer')
  user_id: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'fk_access_tokens_user' })
  user: User;

  /** SHA-256 of the secret; the secret itself is nowhere. */
  @Column({ type: 'bytea', select: false })
  secret_hash: Buffer;

  @Column({ type: 'varchar', length: 100, nullable: true })
  device_name: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  last_used_at: Date;

  /** When it was revoked. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deleted_at: Date | null;
}
