import { Controller, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Creating, Creation } from '../contract/creation.js';
import { Change, Changing, Reply, Replying, pageOf } from '../contract/resource.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { CheckedBody, CheckedQuery } from '../contract/validation.pipe.js';
import { Access } from '../auth/access.js';
import { CreateRoleDto, RoleDto, RoleQuery, UpdateRoleDto, role } from './roles.dto.js';
import { RolesService } from './roles.service.js';

@ApiTags('Users and roles')
@Controller('roles')
export class RolesController {
  constructor(private readonly roles: RolesService) {}

  @Access('users.manage')
  @Get()
  @PageOperation({
    id: 'listRoles',
    summary: 'List roles and their permissions',
    description:
      'Roles are rows: viewer, operator, manager and admin are there at the start, others are yours.',
    answer: RoleDto,
  })
  list(@CheckedQuery() query: RoleQuery) {
    return pageOf(role, this.roles.list(query));
  }

  @Access('users.manage')
  @Post()
  @Operation({
    id: 'createRole',
    summary: 'Create a role',
    description:
      'A user may do whatever any of the user’s roles allows. Only with permissions that you have yourself, else 403.',
    answer: RoleDto,
    status: 201,
  })
  create(@CheckedBody() body: CreateRoleDto, @Creating() creation: Creation): Promise<RoleDto> {
    return this.roles.create(body, creation.of(role));
  }

  @Access('users.manage')
  @Get(':id')
  @Operation({
    id: 'getRole',
    summary: 'One role',
    description: 'With its permissions, each `resource.action`.',
    answer: RoleDto,
    tagged: true,
    errors: ['not-found'],
  })
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<RoleDto> {
    return reply.of(role, this.roles.get(id));
  }

  @Access('users.manage')
  @Patch(':id')
  @Operation({
    id: 'updateRole',
    summary: 'Change a role',
    description:
      'Counts at once for everyone who has it. Someone must be left who may manage users, and someone who has every permission where somebody had. A role that has a permission that you do not have, or is to get one, is not yours to change: 403.',
    answer: RoleDto,
    tagged: true,
    errors: ['not-found'],
  })
  update(
    @IdInPath() id: number,
    @CheckedBody() body: UpdateRoleDto,
    @Changing() change: Change,
  ): Promise<RoleDto> {
    return change.update(role, (by) => this.roles.update(id, body, by));
  }
}
