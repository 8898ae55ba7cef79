import { ApiProperty } from '@nestjs/swagger';
import { tagOf } from '../contract/etag.js';
import { PatchOf } from '../contract/field.js';
import { BooleanField, EmailField, FORMAT_CHARACTERS, NameField, PasswordField } from '../contract/fields.js';
import { NamesField } from '../contract/list-fields.js';
import { BooleanParam } from '../contract/params.js';
import { say } from '../common/messages.js';
import { InstantAnswer } from '../contract/answers.js';
import { ListQuery, SearchParam, SortParam } from '../contract/list-query.js';
import { MIN_PASSWORD } from '../auth/passwords.js';
import type { User } from '../auth/user.entity.js';
import { userMessages } from './users.messages.js';
import type { Resource } from '../contract/resource.js';

export class UserQuery extends ListQuery {
  @SearchParam('name, login and e-mail')
  search?: string;

  @BooleanParam({ description: 'Only enabled or only disabled users.' })
  is_active?: boolean;

  @SortParam('id', 'name', 'created_at')
  declare sort?: string;
}

const name = { max: 255 };
const login = {
  max: 100,
  description:
    'User name for POST /login. Without @, so that it is no one else’s e-mail address, and without white space and control characters; compatibility forms of these, such as ＠, count too.',
  // As name_key() in the database sees it: a full-width ＠ is an @ there.
  pattern: `^[^@\\s\\u0000-\\u001F\\u007F-\\u009F${FORMAT_CHARACTERS}]+$`,
  check: (value: string) => (/[@\s\p{Cc}]/u.test(value.normalize('NFKC')) ? say(userMessages.login) : null),
};

export class CreateUserDto {
  @NameField({ ...name, example: 'Maëlle Le Goff' })
  name: string;

  @NameField({ ...login, example: 'mlegoff' })
  login: string;

  @EmailField({ example: 'maelle.legoff@val-armor.example' })
  email: string;

  @PasswordField({ min: MIN_PASSWORD, example: 'sept goélands en vol' })
  password: string;

  @NamesField({ example: ['operator'], description: 'Names of roles; an empty list allows nothing.' })
  roles: string[];

  @BooleanField({
    optional: true,
    default: true,
    description: 'A disabled user cannot log in, and loses all tokens.',
  })
  is_active?: boolean;
}

/** With the examples of a user who is there: those of a new one would be taken once that is created. */
export class UpdateUserDto extends PatchOf(CreateUserDto) {
  @NameField({ ...name, optional: true, example: 'Yann Le Goff' })
  declare name?: string;

  @NameField({ ...login, optional: true, example: 'ylegoff' })
  declare login?: string;

  @EmailField({ optional: true, example: 'yann.le-goff@val-armor.example' })
  declare email?: string;
}

export class UserDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: 'Yann Le Goff' })
  name: string;

  @ApiProperty({ example: 'ylegoff' })
  login: string;

  @ApiProperty({ example: 'yann.le-goff@val-armor.example' })
  email: string;

  @ApiProperty({ type: [String], example: ['operator'] })
  roles: string[];

  @ApiProperty({ example: true })
  is_active: boolean;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

const toUserDto = (user: User): UserDto => ({
  id: user.id,
  name: user.name,
  login: user.login,
  email: user.email,
  roles: user.roles,
  is_active: user.is_active,
  created_at: user.created_at,
  updated_at: user.updated_at,
});

export const user: Resource<User, UserDto> = {
  tag: ({ version, roles_version }) => tagOf(version, roles_version),
  answer: toUserDto,
};
