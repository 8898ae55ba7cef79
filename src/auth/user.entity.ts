import { Column, Entity, VirtualColumn } from 'typeorm';
import { RecordEntity } from '../database/record.entity.js';

@Entity('users')
export class User extends RecordEntity {
  @Column({ type: 'varchar', length: 255 })
  name: string;

  @Column({ type: 'varchar', length: 100 })
  login: string;

  @Column({ type: 'varchar', length: 254 })
  email: string;

  /** Argon2id in PHC form; read only where a password is checked. */
  @Column({ type: 'varchar', length: 255, select: false })
  password_hash: string;

  /** A user is disabled, never deleted: scans and sessions name it. */
  @Column({ type: 'boolean', default: true })
  is_active: boolean;

  @VirtualColumn({
    type: 'json',
    query: (user) =>
      `SELECT coalesce(json_agg(r.name ORDER BY r.name), '[]') FROM user_roles ur JOIN roles r ON r.id = ur.role_id
       WHERE ur.user_id = ${user}.id`,
  })
  roles: string[];

  /** Grows with every change of the roles that the user has; which ones those are, is a change of the user. */
  @VirtualColumn({
    type: 'bigint',
    query: (user) =>
      `SELECT coalesce(sum(r.version), 0)::bigint FROM user_roles ur JOIN roles r ON r.id = ur.role_id
       WHERE ur.user_id = ${user}.id`,
  })
  roles_version: number;
}
