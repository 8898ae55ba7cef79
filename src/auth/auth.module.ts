import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MetricsModule } from '../metrics/metrics.module.js';
import { AccessToken } from './access-token.entity.js';
import { AttemptsService } from './attempts.service.js';
import { AuthController } from './auth.controller.js';
import { BearerStrategy } from './bearer.strategy.js';
import { Refusals } from './refusals.js';
import { Role, RolePermission } from './role.entity.js';
import { RolesController } from '../users/roles.controller.js';
import { RolesService } from '../users/roles.service.js';
import { TokensService } from './tokens.service.js';
import { User, UserRole } from './user.entity.js';
import { UsersController } from '../users/users.controller.js';
import { UsersService } from '../users/users.service.js';

@Module({
  imports: [
    PassportModule,
    MetricsModule,
    TypeOrmModule.forFeature([User, UserRole, Role, RolePermission, AccessToken]),
  ],
  controllers: [AuthController, UsersController, RolesController],
  providers: [UsersService, RolesService, TokensService, AttemptsService, BearerStrategy, Refusals],
  exports: [UsersService, TokensService, BearerStrategy, Refusals],
})
export class AuthModule {}
