import { Global, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Registry } from 'prom-client';
import { Env } from './config/env.js';
import { Chores } from './common/chores.js';
import { EndedKeys } from './contract/creation.js';
import { AddressLimit } from './http/rate-limit.js';
import { RouteTable } from './http/routes.js';
import { Sql } from './database/sql.js';

/** What every room may inject: the settings, the statements, the table of routes, the timers, the metrics. */
@Global()
@Module({})
export class PlatformModule {
  static with(env: Env): DynamicModule {
    return {
      module: PlatformModule,
      imports: [DiscoveryModule],
      providers: [
        { provide: Env, useValue: env },
        { provide: Registry, useValue: new Registry() },
        AddressLimit,
        RouteTable,
        Sql,
        Chores,
        EndedKeys,
      ],
      exports: [Env, Registry, AddressLimit, RouteTable, Sql, Chores],
    };
  }
}
