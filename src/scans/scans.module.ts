import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InventoriesModule } from '../inventories/inventories.module.js';
import { InventoryLine } from '../inventories/inventory-line.entity.js';
import { AmendService } from './amend.service.js';
import { LateScan } from './late-scan.entity.js';
import { LateScansController } from './late-scans.controller.js';
import { LateScansService } from './late-scans.service.js';
import { Misplaced } from './misplaced.entity.js';
import { ScansController } from './scans.controller.js';
import { DecisionsService } from './decisions.service.js';
import { FindingsController } from './findings.controller.js';
import { FindingsService } from './findings.service.js';
import { KeepingService } from './keeping.service.js';
import { ScanListService } from './scan-list.service.js';
import { ScansService } from './scans.service.js';
import { UndoService } from './undo.service.js';
import { UnexpectedScan } from './unexpected-scan.entity.js';
import { UnknownCodesController } from './unknown-codes.controller.js';
import { UnknownCodesService } from './unknown-codes.service.js';
import { UnknownCode } from './unknown-code.entity.js';

@Module({
  imports: [
    InventoriesModule,
    TypeOrmModule.forFeature([InventoryLine, LateScan, Misplaced, UnexpectedScan, UnknownCode]),
  ],
  controllers: [FindingsController, LateScansController, ScansController, UnknownCodesController],
  providers: [
    AmendService,
    DecisionsService,
    FindingsService,
    KeepingService,
    LateScansService,
    ScanListService,
    ScansService,
    UndoService,
    UnknownCodesService,
  ],
  exports: [UnknownCodesService],
})
export class ScansModule {}
