import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AmortizationModule } from './amortization/amortization.module.js';
import { ArticlesModule } from './articles/articles.module.js';
import { AttachmentsModule } from './attachments/attachments.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AccessGuard } from './auth/access.guard.js';
import { AuthModule } from './auth/auth.module.js';
import { RefusalFilter } from './auth/refusal.filter.js';
import { PlatformModule } from './platform.module.js';
import { ServiceDataSource } from './database/data-source.js';
import { StrictInputGuard } from './http/strict-input.guard.js';
import { databaseOptions } from './database/options.js';
import { Chores } from './common/chores.js';
import type { Env } from './config/env.js';
import { EquipmentModule } from './equipment/equipment.module.js';
import { FieldsModule } from './fields/fields.module.js';
import { HealthModule } from './health/health.module.js';
import { ImportsModule } from './imports/imports.module.js';
import { InventoriesModule } from './inventories/inventories.module.js';
import { LiveModule } from './live/live.module.js';
import { LocationsModule } from './locations/locations.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { PurchasesModule } from './purchases/purchases.module.js';
import { ReferenceModule } from './reference/reference.module.js';
import { HistoryModule } from './history/history.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { DecisionsModule } from './scans/decisions.module.js';
import { ScansModule } from './scans/scans.module.js';
import { SuppliersModule } from './suppliers/suppliers.module.js';
import { TiersModule } from './tiers/tiers.module.js';
import { UsersModule } from './users/users.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

@Module({})
export class AppModule {
  /** The whole service on the database at `url`; a command takes what it needs of it, without its chores. */
  static on(url: string, env: Env, chores = Chores): DynamicModule {
    return {
      module: AppModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({
            ...databaseOptions({
              url,
              pool: env.DATABASE_POOL,
              timeout: env.DATABASE_TIMEOUT_MS,
              maxAge: env.DATABASE_MAX_AGE_S,
              isPooled: env.DATABASE_POOLER !== undefined,
            }),
            autoLoadEntities: true,
            retryAttempts: 5,
            retryDelay: 1000,
          }),
          dataSourceFactory: (options) => Promise.resolve(new ServiceDataSource(options!)),
        }),
        // The router tries one route after the other, so those that phones ask most come first.
        ScansModule,
        PurchasesModule,
        InventoriesModule,
        LiveModule,
        DecisionsModule,
        PlatformModule.with(env, chores),
        AuthModule,
        UsersModule,
        ArticlesModule,
        SuppliersModule,
        LocationsModule,
        ReferenceModule,
        FieldsModule,
        EquipmentModule,
        TiersModule,
        AttachmentsModule,
        AmortizationModule,
        HistoryModule,
        ReportsModule,
        ImportsModule,
        WebhooksModule,
        AuditModule,
        HealthModule,
        MetricsModule,
      ],
      providers: [
        { provide: APP_FILTER, useClass: RefusalFilter },
        // In this order: who are you, may you, and then what did you send.
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_GUARD, useClass: StrictInputGuard },
      ],
    };
  }
}
