import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PurchasesModule } from '../purchases/purchases.module.js';
import { InventoriesController } from './inventories.controller.js';
import { InventoriesService } from './inventories.service.js';
import { InventoryLine } from './inventory-line.entity.js';
import { Inventory } from './inventory.entity.js';
import { UndoneScan } from './undone-scan.entity.js';
import { UnscannedService } from './unscanned.service.js';

@Module({
  imports: [PurchasesModule, TypeOrmModule.forFeature([Inventory, InventoryLine, UndoneScan])],
  controllers: [InventoriesController],
  providers: [InventoriesService, UnscannedService],
  exports: [InventoriesService],
})
export class InventoriesModule {}
