import { ApiProperty } from '@nestjs/swagger';
import { PatchOf } from '../contract/field.js';
import { NameField, TextField } from '../contract/fields.js';
import { NamesField } from '../contract/list-fields.js';
import { InstantAnswer, WordsAnswer } from '../contract/answers.js';
import { ListQuery, SortParam } from '../contract/list-query.js';
import { PERMISSIONS } from '../auth/access.js';
import type { Role } from './role.entity.js';
import { recordTag } from '../contract/etag.js';
import type { Resource } from '../contract/resource.js';

export class RoleQuery extends ListQuery {
  @SortParam('id', 'name')
  declare sort?: string;
}

const name = { max: 60 };
const description = { max: 255, optional: true, nullable: true };
/** A role of the first migration. */
const viewer = {
  name: 'viewer',
  description: 'Reads everything',
  permissions: [
    'articles.view',
    'equipments.view',
    'inventories.view',
    'locations.view',
    'purchases.view',
    'reference.view',
    'reports.view',
    'suppliers.view',
    'tiers.view',
  ],
};

export class CreateRoleDto {
  @NameField({ ...name, example: 'auditor' })
  name: string;

  @TextField({ ...description, example: 'Reads everything, the audit log included' })
  description?: string | null;

  @NamesField({ example: ['articles.view', 'audit.view', 'inventories.view', 'purchases.view'] })
  permissions: string[];
}

/** With the examples of a role that is there: the name of a new one would be taken once that is created. */
export class UpdateRoleDto extends PatchOf(CreateRoleDto) {
  @NameField({ ...name, optional: true, example: viewer.name })
  declare name?: string;

  @TextField({ ...description, example: viewer.description })
  declare description?: string | null;

  @NamesField({ optional: true, example: viewer.permissions })
  declare permissions?: string[];
}

export class RoleDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: viewer.name })
  name: string;

  @ApiProperty({ nullable: true, type: String, example: viewer.description })
  description: string | null;

  @WordsAnswer(PERMISSIONS, viewer.permissions)
  permissions: string[];

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

const toRoleDto = (role: Role): RoleDto => ({
  id: role.id,
  name: role.name,
  description: role.description,
  permissions: role.permissions,
  created_at: role.created_at,
  updated_at: role.updated_at,
});

export const role: Resource<Role, RoleDto> = { tag: recordTag, answer: toRoleDto };
