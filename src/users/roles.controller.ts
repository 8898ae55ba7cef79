import { Body, Controller, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentActor } from '../http/actor.js';
import type { Actor } from '../database/audit.js';
import { Creating, Creation } from '../contract/creation.js';
import { Expected, IfMatch, recordTag, tagged } from '../contract/etag.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { toPage } from '../contract/pagination.js';
import { Access } from '../auth/access.js';
import { CreateRoleDto, RoleDto, RoleQuery, UpdateRoleDto, toRoleDto } from './roles.dto.js';
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
  async list(@Query() query: RoleQuery) {
    return toPage(await this.roles.list(query), toRoleDto);
  }

  @Access('users.manage')
  @Post()
  @Operation({
    id: 'createRole',
    summary: 'Create a role',
    description: 'A user may do whatever any of the user’s roles allows.',
    answer: RoleDto,
    status: 201,
  })
  create(
    @Body() body: CreateRoleDto,
    @CurrentActor() actor: Actor,
    @Creating() creation: Creation,
  ): Promise<RoleDto> {
    return this.roles.create(body, actor, creation.as('/roles', recordTag, toRoleDto));
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
  async get(@IdInPath() id: number, @Res({ passthrough: true }) response: Response): Promise<RoleDto> {
    const role = await this.roles.get(id);
    return tagged(response, recordTag(role), toRoleDto(role));
  }

  @Access('users.manage')
  @Patch(':id')
  @Operation({
    id: 'updateRole',
    summary: 'Change a role',
    description: 'Counts at once for everyone who has it. Someone must be left who may manage users.',
    answer: RoleDto,
    tagged: true,
    errors: ['not-found'],
  })
  async update(
    @IdInPath() id: number,
    @Body() body: UpdateRoleDto,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RoleDto> {
    const role = await this.roles.update(id, body, actor, expected.by(recordTag));
    return tagged(response, recordTag(role), toRoleDto(role));
  }
}
