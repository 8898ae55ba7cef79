import { ApiProperty } from '@nestjs/swagger';
import { PatchOf } from '../common/field.js';
import { NamesField, TextField } from '../common/fields.js';
import { InstantAnswer } from '../common/openapi.js';
import { ListQuery, SortParam } from '../common/pagination.js';
import type { Role } from './role.entity.js';

export class RoleQuery extends ListQuery {
  @SortParam('id', 'name')
  declare sort?: string;
}

export class CreateRoleDto {
  @TextField({ max: 60, example: 'auditor' })
  name: string;

  @TextField({
    max: 255,
    optional: true,
    nullable: true,
    example: 'Reads everything, the audit log included',
  })
  description?: string | null;

  @NamesField({ example: ['articles.view', 'purchases.view', 'inventories.view', 'audit.view'] })
  permissions: string[];
}

export class UpdateRoleDto extends PatchOf(CreateRoleDto) {}

export class RoleDto {
  @ApiProperty({ type: 'integer', example: 5 })
  id: number;

  @ApiProperty({ example: 'auditor' })
  name: string;

  @ApiProperty({ nullable: true, type: String, example: 'Reads everything, the audit log included' })
  description: string | null;

  @ApiProperty({
    type: [String],
    example: ['articles.view', 'audit.view', 'inventories.view', 'purchases.view'],
  })
  permissions: string[];

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

export const toRoleDto = (role: Role): RoleDto => ({
  id: role.id,
  name: role.name,
  description: role.description,
  permissions: role.permissions,
  created_at: role.created_at,
  updated_at: role.updated_at,
});
