import { Body, Controller, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { IdInPath } from '../common/id.pipe.js';
import { Operation, PageOperation } from '../common/openapi.js';
import { toPage } from '../common/pagination.js';
import { API_PREFIX } from '../common/routes.js';
import { Access } from './access.js';
import { CreateRoleDto, RoleDto, RoleQuery, UpdateRoleDto, toRoleDto } from './roles.dto.js';
import { RolesService } from './roles.service.js';

@ApiTags('Users and roles')
@Controller('roles')
export class RolesController {
  constructor(private readonly roles: RolesService) {}

  @Access('users.manage')
  @Get()
  @PageOperation({ id: 'listRoles', summary: 'List roles and their permissions', answer: RoleDto })
  async list(@Query() query: RoleQuery) {
    return toPage(await this.roles.list(query), toRoleDto);
  }

  @Access('users.manage')
  @Post()
  @Operation({
    id: 'createRole',
    summary: 'Create a role',
    answer: RoleDto,
    status: 201,
  })
  async create(
    @Body() body: CreateRoleDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RoleDto> {
    const role = await this.roles.create(body);
    response.location(`${API_PREFIX}/roles/${role.id}`);
    return toRoleDto(role);
  }

  @Access('users.manage')
  @Get(':id')
  @Operation({ id: 'getRole', summary: 'One role', answer: RoleDto, errors: ['not-found'] })
  async get(@IdInPath() id: number): Promise<RoleDto> {
    return toRoleDto(await this.roles.get(id));
  }

  @Access('users.manage')
  @Patch(':id')
  @Operation({
    id: 'updateRole',
    summary: 'Change a role',
    description: 'Counts at once for everyone who has it. Someone must be left who may manage users.',
    answer: RoleDto,
    errors: ['not-found'],
  })
  async update(@IdInPath() id: number, @Body() body: UpdateRoleDto): Promise<RoleDto> {
    return toRoleDto(await this.roles.update(id, body));
  }
}
