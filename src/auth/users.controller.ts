import { Body, Controller, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { IdInPath } from '../common/id.pipe.js';
import { Operation, PageOperation } from '../common/openapi.js';
import { toPage } from '../common/pagination.js';
import { API_PREFIX } from '../common/routes.js';
import { Access } from './access.js';
import { CreateUserDto, UpdateUserDto, UserDto, UserQuery, toUserDto } from './users.dto.js';
import { UsersService } from './users.service.js';

@ApiTags('Users and roles')
@Controller('users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Access('users.manage')
  @Get()
  @PageOperation({ id: 'listUsers', summary: 'List users', answer: UserDto })
  async list(@Query() query: UserQuery) {
    return toPage(await this.users.list(query), toUserDto);
  }

  @Access('users.manage')
  @Post()
  @Operation({
    id: 'createUser',
    summary: 'Create a user',
    answer: UserDto,
    status: 201,
  })
  async create(
    @Body() body: CreateUserDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserDto> {
    const user = await this.users.create(body);
    response.location(`${API_PREFIX}/users/${user.id}`);
    return toUserDto(user);
  }

  @Access('users.manage')
  @Get(':id')
  @Operation({ id: 'getUser', summary: 'One user', answer: UserDto, errors: ['not-found'] })
  async get(@IdInPath() id: number): Promise<UserDto> {
    return toUserDto(await this.users.get(id));
  }

  @Access('users.manage')
  @Patch(':id')
  @Operation({
    id: 'updateUser',
    summary: 'Change, disable or enable a user',
    description:
      'Counts at once. Disabling a user or setting a password revokes all tokens of that user. The last active user who may manage users can be neither disabled nor demoted.',
    answer: UserDto,
    errors: ['not-found'],
  })
  async update(@IdInPath() id: number, @Body() body: UpdateUserDto): Promise<UserDto> {
    return toUserDto(await this.users.update(id, body));
  }
}
