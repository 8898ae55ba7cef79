import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';
import { RecordEntity } from '../database/record.entity.js';

@Entity('roles')
export class Role extends RecordEntity {
  @Column({ type: 'varchar', length: 60 })
  name: string;

  @Column({ type: 'varchar', length: 255, nullable: true })
  description: string | null;

  @VirtualColumn({
    type: 'json',
    query: (role) =>
      `SELECT coalesce(json_agg(permission ORDER BY permission), '[]') FROM role_permissions WHERE role_id = ${role}.id`,
  })
  permissions: string[];
}

@Entity('role_permissions')
export class RolePermission {
  @PrimaryColumn('integer')
  role_id: number;

  @PrimaryColumn('varchar', { length: 60 })
  permission: string;
}

@Entity('user_roles')
export class UserRole {
  @PrimaryColumn('integer')
  user_id: number;

  @PrimaryColumn('integer')
  role_id: number;
}
