import { Column, Entity, JoinColumn, JoinTable, ManyToMany, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';

@Entity('permissions')
export class Permission {
  @PrimaryColumn('varchar')
  name: string;
}

@Entity('roles')
export class Role {
  @PrimaryColumn('integer')
  id: number;

  @ManyToMany(() => Permission)
  @JoinTable({
    name: 'role_permissions',
    joinColumn: { name: 'role_id' },
    inverseJoinColumn: { name: 'permission' },
  })
  permissions: Relation<Permission[]>;
}

@Entity('users')
export class Account {
  @PrimaryColumn('integer')
  id: number;

  @Column('boolean')
  is_active: boolean;

  @ManyToMany(() => Role)
  @JoinTable({ name: 'user_roles', joinColumn: { name: 'user_id' }, inverseJoinColumn: { name: 'role_id' } })
  roles: Relation<Role[]>;
}

@Entity('access_tokens')
export class Token {
  @PrimaryColumn('integer')
  id: number;

  @Column('bytea')
  secret_hash: Buffer;

  @Column('timestamptz')
  created_at: Date;

  @Column('timestamptz')
  last_used_at: Date;

  @Column('timestamptz', { nullable: true })
  deleted_at: Date | null;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'user_id' })
  user: Relation<Account>;
}
