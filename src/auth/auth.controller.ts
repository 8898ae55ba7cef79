import { Controller, Delete, Get, Patch, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentActor } from '../http/actor.js';
import type { Actor, Caller } from '../database/audit.js';
import { notFound } from '../common/errors.js';
import { tagOf, tagged } from '../contract/etag.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import { pageOf } from '../contract/resource.js';
import { CheckedBody, CheckedQuery } from '../contract/validation.pipe.js';
import { CurrentUser, Public, SignedIn } from './access.js';
import type { Principal } from './access.js';
import {
  ChangePasswordDto,
  DeviceDto,
  DeviceQuery,
  LoginAnswerDto,
  LoginDto,
  MeDto,
  RevokedDto,
  TokenAnswerDto,
  TokenRequestDto,
  toDeviceDto,
  toMeDto,
} from './auth.dto.js';
import { CredentialsService } from './credentials.service.js';
import { LoginService } from './login.service.js';
import { TokensService } from './tokens.service.js';
import { authMessages } from './auth.messages.js';
import type { AccessToken } from './access-token.entity.js';

@ApiTags('Authentication')
@Controller()
export class AuthController {
  constructor(
    private readonly logins: LoginService,
    private readonly credentials: CredentialsService,
    private readonly tokens: TokensService,
  ) {}

  @Public()
  @Post('login')
  @Operation({
    id: 'login',
    summary: 'Log in with a user name or an e-mail address',
    description:
      'The token is good on every route, until `expires_at`. Whether the name or the password is wrong is not told. After 5 failures a minute of a name from one address, or 20 from anywhere, every login of it is answered 429.',
    answer: LoginAnswerDto,
    errors: ['bad-credentials'],
  })
  async login(@CheckedBody() body: LoginDto, @CurrentActor() actor: Actor): Promise<LoginAnswerDto> {
    const { login } = body;
    return { token_type: 'Bearer', ...(await this.logins.login({ login }, body, actor)) };
  }

  @Public()
  @Post('auth/token')
  @Operation({
    id: 'createToken',
    summary: 'Log in with an e-mail address',
    description:
      'The login of the companion app. The token is good on every route, until `expires_at`: 30 days after its last use unless the service is set otherwise. Failures are counted together with those of `/login`.',
    answer: TokenAnswerDto,
    errors: ['bad-credentials'],
  })
  token(@CheckedBody() body: TokenRequestDto, @CurrentActor() actor: Actor): Promise<TokenAnswerDto> {
    const { email } = body;
    return this.logins.login({ email }, body, actor);
  }

  @SignedIn()
  @Post('logout')
  @Operation({
    id: 'logout',
    summary: 'Revoke the token of this request',
    description: 'At once on this instance, within a second on every other. Other devices go on.',
    answer: RevokedDto,
  })
  async logout(@CurrentActor() caller: Caller): Promise<RevokedDto> {
    await this.tokens.revoke(caller, caller.token_id);
    return { revoked: true };
  }

  @SignedIn()
  @Get('me')
  @Operation({
    id: 'getMe',
    summary: 'Who am I, and what may I do',
    description: 'Show and hide by `permissions` rather than by roles, which an administrator may change.',
    answer: MeDto,
    tagged: true,
  })
  me(@CurrentUser() user: Principal, @Res({ passthrough: true }) response: Response): MeDto {
    return tagged(response, tagOf(user.tag), toMeDto(user));
  }

  @SignedIn()
  @Get('me/tokens')
  @PageOperation({
    id: 'listMyTokens',
    summary: 'My devices',
    description:
      'The tokens that have neither ended nor been revoked, with what each login called its device. One that ends by itself leaves the list without being told: `expires_at` says when.',
    answer: DeviceDto,
  })
  devices(@CurrentUser() user: Principal, @CheckedQuery() query: DeviceQuery) {
    const answer = (token: AccessToken) => toDeviceDto(token, this.tokens.expiresAt(token), user.token_id);
    return pageOf({ answer }, this.tokens.list(user.id, query));
  }

  @SignedIn()
  @Delete('me/tokens/:id')
  @Operation({
    id: 'revokeMyToken',
    summary: 'Revoke the token of one of my devices',
    description: 'For a phone that was lost: it is logged out within a second.',
    answer: DeletedDto,
    errors: ['not-found'],
  })
  async revoke(@CurrentActor() caller: Caller, @IdInPath() id: number): Promise<DeletedDto> {
    if (!(await this.tokens.revoke(caller, id))) throw notFound(authMessages.no_token);
    return { id, deleted: true };
  }

  @SignedIn()
  @Patch('me/password')
  @Operation({
    id: 'changeMyPassword',
    summary: 'Change my password',
    description:
      'Revokes all my other tokens; the one of this request stays. After 5 wrong `current_password` a minute the answer is 429.',
    answer: MeDto,
  })
  async changePassword(
    @CurrentUser() user: Principal,
    @CurrentActor() caller: Caller,
    @CheckedBody() { current_password, password }: ChangePasswordDto,
  ): Promise<MeDto> {
    await this.credentials.changePassword(caller, current_password, password);
    return toMeDto(user);
  }
}
