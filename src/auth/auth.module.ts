import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessToken } from './access-token.entity.js';
import { AttemptsService } from './attempts.service.js';
import { AuthController } from './auth.controller.js';
import { BearerStrategy } from './bearer.strategy.js';
import { CredentialsService } from './credentials.service.js';
import { LoginService } from './login.service.js';
import { Refusals } from './refusals.js';
import { Standing } from './standing.js';
import { TokensService } from './tokens.service.js';
import { User } from './user.entity.js';

@Module({
  imports: [PassportModule, TypeOrmModule.forFeature([User, AccessToken])],
  controllers: [AuthController],
  providers: [
    CredentialsService,
    LoginService,
    TokensService,
    AttemptsService,
    BearerStrategy,
    Refusals,
    Standing,
  ],
  exports: [CredentialsService, TokensService, BearerStrategy, Refusals, Standing],
})
export class AuthModule {}
