import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InventoriesModule } from '../inventories/inventories.module.js';
import { InventoryLine } from '../inventories/inventory-line.entity.js';
import { ScansController } from './scans.controller.js';
import { ScansService } from './scans.service.js';
import { UndoService } from './undo.service.js';

@Module({
  imports: [InventoriesModule, TypeOrmModule.forFeature([InventoryLine])],
  controllers: [ScansController],
  providers: [ScansService, UndoService],
})
export class ScansModule {}
