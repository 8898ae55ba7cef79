import { ApiProperty } from '@nestjs/swagger';
import { EmailField, PasswordField, TextField } from '../common/fields.js';
import { InstantAnswer, NamedDto } from '../common/openapi.js';
import { ListQuery, SortParam } from '../common/pagination.js';
import type { AccessToken } from './access-token.entity.js';
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
    example: '17|9vXb…e3f1a2b4',
    description: 'Send it as Authorization: Bearer <token>. Shown only once.',
  })
  token: string;

  @InstantAnswer({ description: 'When it ends if it is not used any more; use moves it.' })
  expires_at: Date;

  @ApiProperty({ type: NamedDto, example: { id: 7, name: 'Maëlle Le Goff' } })
  user: NamedDto;
}

export class LoginAnswerDto extends TokenAnswerDto {
  @ApiProperty({ enum: ['Bearer'] })
  token_type: string;
}

export class MeDto {
  @ApiProperty({ type: 'integer', example: 7 })
  id: number;

  @ApiProperty({ example: 'Maëlle Le Goff' })
  name: string;

  @ApiProperty({ example: 'maelle.legoff@val-armor.example' })
  email: string;

  @ApiProperty({ type: [String], example: ['operator'] })
  roles: string[];

  @ApiProperty({ type: [String], example: ['articles.view', 'inventories.scan'] })
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
  @ApiProperty({ type: 'integer', example: 17 })
  id: number;

  @ApiProperty({ type: String, nullable: true, example: 'Pixel 9 – magasin' })
  device_name: string | null;

  @ApiProperty({ description: 'Whether this request came with it.', example: true })
  is_current: boolean;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer({ description: 'To the minute.' })
  last_used_at: Date;

  @InstantAnswer()
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
