import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InventoriesModule } from '../inventories/inventories.module.js';
import { InventoryLine } from '../inventories/inventory-line.entity.js';
import { AmendService } from './amend.service.js';
import { KeepingService } from './keeping.service.js';
import { ScanListService } from './scan-list.service.js';
import { ScansController } from './scans.controller.js';
import { ScansService } from './scans.service.js';
import { TogetherService } from './together.service.js';
import { UndoService } from './undo.service.js';

@Module({
  imports: [InventoriesModule, TypeOrmModule.forFeature([InventoryLine])],
  controllers: [ScansController],
  providers: [AmendService, KeepingService, ScanListService, ScansService, TogetherService, UndoService],
})
export class ScansModule {}
