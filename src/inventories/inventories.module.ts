import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PurchasesModule } from '../purchases/purchases.module.js';
import { InventoriesController } from './inventories.controller.js';
import { ClosedLinesService } from './closed-lines.service.js';
import { FreezeService } from './freeze.service.js';
import { InventoriesService } from './inventories.service.js';
import { InventoryLine } from './inventory-line.entity.js';
import { Inventory } from './inventory.entity.js';
import { UndoneScan } from './undone-scan.entity.js';
import { MissingService } from './missing.service.js';
import { ReopenService } from './reopen.service.js';
import { UnscannedService } from './unscanned.service.js';

@Module({
  imports: [PurchasesModule, TypeOrmModule.forFeature([Inventory, InventoryLine, UndoneScan])],
  controllers: [InventoriesController],
  providers: [
    ClosedLinesService,
    FreezeService,
    InventoriesService,
    MissingService,
    ReopenService,
    UnscannedService,
  ],
  exports: [InventoriesService],
})
export class InventoriesModule {}
