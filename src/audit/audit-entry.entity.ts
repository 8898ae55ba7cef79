import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A line of the audit log, written by the database itself or by record() in src/database/audit.ts. */
@Entity('audit_entries')
export class AuditEntry {
  @PrimaryColumn('bigint')
  id: number;

  @Column({ type: 'timestamptz', precision: 3 })
  at: Date;

  @Column({ type: 'integer', nullable: true })
  user_id: number | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  user_name: string | null;

  @Column({ type: 'integer', nullable: true })
  token_id: number | null;

  @Column({ type: 'varchar', length: 60, nullable: true })
  command: string | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  address: string | null;

  @Column({ type: 'varchar', length: 128, nullable: true })
  request_id: string | null;

  @Column({ type: 'varchar', length: 60 })
  action: string;

  @Column({ type: 'varchar', length: 60, nullable: true })
  resource: string | null;

  @Column({ type: 'integer', nullable: true })
  resource_id: number | null;

  @Column({ type: 'jsonb', nullable: true })
  before: Record<string, unknown> | null;

  @Column({ type: 'jsonb', nullable: true })
  after: Record<string, unknown> | null;
}
