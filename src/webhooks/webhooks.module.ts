import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Env } from '../config/env.js';
import { ImportsModule } from '../imports/imports.module.js';
import { InventoriesModule } from '../inventories/inventories.module.js';
import { PurchasesModule } from '../purchases/purchases.module.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { Delivery } from './delivery.entity.js';
import { EndingService } from './ending.service.js';
import { OutboxService } from './outbox.service.js';
import { Reach } from './reach.js';
import { SenderService } from './sender.service.js';
import { UpkeepService } from './upkeep.service.js';
import { Webhook } from './webhook.entity.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Webhook, Delivery]), ImportsModule, InventoriesModule, PurchasesModule],
  controllers: [WebhooksController, DeliveriesController],
  providers: [
    WebhooksService,
    DeliveriesService,
    OutboxService,
    EndingService,
    SenderService,
    UpkeepService,
    { provide: Reach, inject: [Env], useFactory: ({ WEBHOOK_ALLOW }: Env) => new Reach(WEBHOOK_ALLOW) },
  ],
})
export class WebhooksModule {}
