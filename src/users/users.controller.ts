import { Controller, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Creating, Creation } from '../contract/creation.js';
import { Change, Changing, Reply, Replying, pageOf } from '../contract/resource.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { CheckedBody, CheckedQuery } from '../contract/validation.pipe.js';
import { Access } from '../auth/access.js';
import { CreateUserDto, UpdateUserDto, UserDto, UserQuery, user } from './users.dto.js';
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
  list(@CheckedQuery() query: UserQuery) {
    return pageOf(user, this.users.list(query));
  }

  @Access('users.manage')
  @Post()
  @Operation({
    id: 'createUser',
    summary: 'Create a user',
    description:
      'With a password of 8 to 256 characters that is none of the commonest, and with roles by name. Only with permissions that you have yourself, else 403.',
    answer: UserDto,
    status: 201,
  })
  create(@CheckedBody() body: CreateUserDto, @Creating() creation: Creation): Promise<UserDto> {
    return this.users.create(body, creation.of(user));
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
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<UserDto> {
    return reply.of(user, this.users.get(id));
  }

  @Access('users.manage')
  @Patch(':id')
  @Operation({
    id: 'updateUser',
    summary: 'Change, disable or enable a user',
    description:
      'Counts at once. Disabling a user or setting a password revokes all tokens of that user. The last active user who may manage users can be neither disabled nor demoted, nor can the last of them who has every permission. Who has a permission that you do not have, or is to get one, is not yours to change: 403.',
    answer: UserDto,
    tagged: true,
    errors: ['not-found'],
  })
  update(
    @IdInPath() id: number,
    @CheckedBody() body: UpdateUserDto,
    @Changing() change: Change,
  ): Promise<UserDto> {
    return change.update(user, (by) => this.users.update(id, body, by));
  }
}
