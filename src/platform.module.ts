import { Global, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Registry } from 'prom-client';
import { Env } from './config/env.js';
import { Chores } from './common/chores.js';
import { EndedKeys } from './contract/creation.js';
import { ListFiles } from './contract/list-files.js';
import { ListsInterceptor } from './exports/lists.interceptor.js';
import { AddressLimit } from './http/rate-limit.js';
import { RouteTable } from './http/routes.js';
import { Traces } from './http/traces.js';
import { Sql } from './database/sql.js';

/** What every room may inject: the settings, the statements, the table of routes, the timers, the metrics. */
@Global()
@Module({})
export class PlatformModule {
  static with(env: Env, chores = Chores): DynamicModule {
    return {
      module: PlatformModule,
      imports: [DiscoveryModule],
      providers: [
        { provide: Env, useValue: env },
        { provide: Registry, useValue: new Registry() },
        AddressLimit,
        RouteTable,
        Sql,
        { provide: Chores, useClass: chores },
        EndedKeys,
        { provide: ListFiles, useClass: ListsInterceptor },
        { provide: Traces, useFactory: () => tracesOf(env) },
      ],
      exports: [Env, Registry, AddressLimit, RouteTable, Sql, Chores, ListFiles],
    };
  }
}

/** Nothing of OpenTelemetry is loaded for those who have no collector. */
async function tracesOf(env: Env): Promise<Traces> {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return new Traces();
  const { OpenTelemetry } = await import('./traces/open-telemetry.js');
  return new OpenTelemetry(env);
}
