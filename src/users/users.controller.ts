import { Body, Controller, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentActor } from '../http/actor.js';
import type { Actor } from '../database/audit.js';
import { Creating, Creation } from '../contract/creation.js';
import { Expected, IfMatch, tagged } from '../contract/etag.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { toPage } from '../contract/pagination.js';
import { Access } from '../auth/access.js';
import { CreateUserDto, UpdateUserDto, UserDto, UserQuery, toUserDto, userTag } from './users.dto.js';
import { UsersService } from './users.service.js';

@ApiTags('Users and roles')
@Controller('users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Access('users.manage')
  @Get()
  @PageOperation({
    id: 'listUsers',
    summary: 'List users',
    description: 'Disabled users included: a user is never deleted, since scans and sessions name it.',
    answer: UserDto,
  })
  async list(@Query() query: UserQuery) {
    return toPage(await this.users.list(query), toUserDto);
  }

  @Access('users.manage')
  @Post()
  @Operation({
    id: 'createUser',
    summary: 'Create a user',
    description:
      'With a password of 8 to 256 characters that is none of the commonest, and with roles by name.',
    answer: UserDto,
    status: 201,
  })
  create(
    @Body() body: CreateUserDto,
    @CurrentActor() actor: Actor,
    @Creating() creation: Creation,
  ): Promise<UserDto> {
    return this.users.create(body, actor, creation.as('/users', userTag, toUserDto));
  }

  @Access('users.manage')
  @Get(':id')
  @Operation({
    id: 'getUser',
    summary: 'One user',
    description: 'With the roles by name. The password is nowhere to be read.',
    answer: UserDto,
    tagged: true,
    errors: ['not-found'],
  })
  async get(@IdInPath() id: number, @Res({ passthrough: true }) response: Response): Promise<UserDto> {
    const user = await this.users.get(id);
    return tagged(response, userTag(user), toUserDto(user));
  }

  @Access('users.manage')
  @Patch(':id')
  @Operation({
    id: 'updateUser',
    summary: 'Change, disable or enable a user',
    description:
      'Counts at once. Disabling a user or setting a password revokes all tokens of that user. The last active user who may manage users can be neither disabled nor demoted.',
    answer: UserDto,
    tagged: true,
    errors: ['not-found'],
  })
  async update(
    @IdInPath() id: number,
    @Body() body: UpdateUserDto,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserDto> {
    const user = await this.users.update(id, body, actor, expected.by(userTag));
    return tagged(response, userTag(user), toUserDto(user));
  }
}
