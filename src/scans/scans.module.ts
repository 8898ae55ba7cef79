import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InventoriesModule } from '../inventories/inventories.module.js';
import { InventoryLine } from '../inventories/inventory-line.entity.js';
import { LateScan } from './late-scan.entity.js';
import { Misplaced } from './misplaced.entity.js';
import { ScansController } from './scans.controller.js';
import { KeepingService } from './keeping.service.js';
import { ScanListService } from './scan-list.service.js';
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
  providers: [KeepingService, ScanListService, ScansService, UndoService],
})
export class ScansModule {}
