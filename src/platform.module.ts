import { Global, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Env } from './config/env.js';
import { Chores } from './common/chores.js';
import { EndedKeys } from './contract/creation.js';
import { RouteTable } from './http/routes.js';
import { Sql } from './database/sql.js';

/** What every feature may inject: the settings, the statements, the table of routes, the timers. */
@Global()
@Module({})
export class CommonModule {
  static with(env: Env): DynamicModule {
    return {
      module: CommonModule,
      imports: [DiscoveryModule],
      providers: [{ provide: Env, useValue: env }, RouteTable, Sql, Chores, EndedKeys],
      exports: [Env, RouteTable, Sql, Chores],
    };
  }
}
