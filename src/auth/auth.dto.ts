import { ApiProperty } from '@nestjs/swagger';
import { EmailField, PasswordField, TextField } from '../contract/fields.js';
import { InstantAnswer, WordAnswer, WordsAnswer } from '../contract/answers.js';
import { NamedDto } from '../contract/openapi.js';
import { ListQuery, SortParam } from '../contract/list-query.js';
import type { AccessToken } from './access-token.entity.js';
import { PERMISSIONS } from './access.js';
import type { Principal } from './access.js';
import { MIN_PASSWORD } from './passwords.js';

const deviceName = { max: 100, optional: true, nullable: true, example: 'Pixel 9 – magasin' };

export class TokenRequestDto {
  @EmailField({ example: 'demo@val-armor.example' })
  email: string;

  @PasswordField({ min: 1, example: 'the password' })
  password: string;

  @TextField({ ...deviceName, description: 'How the caller’s list of devices names this token.' })
  device_name?: string | null;
}

export class LoginDto {
  @TextField({ max: 254, example: 'demo', description: 'User name or e-mail address.' })
  login: string;

  @PasswordField({ min: 1, example: 'the password' })
  password: string;

  @TextField({ ...deviceName, description: 'How the caller’s list of devices names this token.' })
  device_name?: string | null;
}

export class TokenAnswerDto {
  @ApiProperty({
    example: '1|9vXb…e3f1a2b4',
    description: 'Send it as Authorization: Bearer <token>. Shown only once.',
  })
  token: string;

  @InstantAnswer({
    example: '2026-11-14T08:30:00.000Z',
    description: 'When it ends if it is not used any more; use moves it.',
  })
  expires_at: Date;

  @ApiProperty({ type: NamedDto, example: { id: 7, name: 'Compte de démonstration' } })
  user: NamedDto;
}

export class LoginAnswerDto extends TokenAnswerDto {
  @WordAnswer(['Bearer'], { example: 'Bearer' })
  token_type: string;
}

export class MeDto {
  @ApiProperty({ type: 'integer', example: 7 })
  id: number;

  @ApiProperty({ example: 'Compte de démonstration' })
  name: string;

  @ApiProperty({ example: 'demo@val-armor.example' })
  email: string;

  @ApiProperty({ type: [String], example: ['admin'] })
  roles: string[];

  @WordsAnswer(PERMISSIONS, [...PERMISSIONS].sort())
  permissions: string[];
}

export const toMeDto = ({ id, name, email, roles, permissions }: Principal): MeDto => ({
  id,
  name,
  email,
  roles,
  permissions,
});

export class RevokedDto {
  @ApiProperty({ example: true })
  revoked: boolean;
}

export class ChangePasswordDto {
  @PasswordField({ min: 1, example: 'the old password' })
  current_password: string;

  @PasswordField({ min: MIN_PASSWORD, example: 'sept goélands en vol' })
  password: string;
}

export class DeviceDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ type: String, nullable: true, example: 'Pixel 9 – magasin' })
  device_name: string | null;

  @ApiProperty({ description: 'Whether this request came with it.', example: true })
  is_current: boolean;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer({ description: 'To the minute.' })
  last_used_at: Date;

  @InstantAnswer({ example: '2026-11-14T08:30:00.000Z' })
  expires_at: Date;
}

export const toDeviceDto = (token: AccessToken, expires_at: Date, current: number): DeviceDto => ({
  id: token.id,
  device_name: token.device_name,
  is_current: token.id === current,
  created_at: token.created_at,
  last_used_at: token.last_used_at,
  expires_at,
});

export class DeviceQuery extends ListQuery {
  @SortParam('id')
  declare sort?: string;
}
