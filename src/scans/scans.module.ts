import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InventoriesModule } from '../inventories/inventories.module.js';
import { InventoryLine } from '../inventories/inventory-line.entity.js';
import { LateScan } from './late-scan.entity.js';
import { Misplaced } from './misplaced.entity.js';
import { ScansController } from './scans.controller.js';
import { ScansService } from './scans.service.js';
import { UndoService } from './undo.service.js';
import { UnexpectedScan } from './unexpected-scan.entity.js';
import { UnknownCode } from './unknown-code.entity.js';

@Module({
  imports: [
    InventoriesModule,
    TypeOrmModule.forFeature([InventoryLine, LateScan, Misplaced, UnexpectedScan, UnknownCode]),
  ],
  controllers: [ScansController],
  providers: [ScansService, UndoService],
})
export class ScansModule {}
