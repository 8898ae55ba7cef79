import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InventoriesModule } from '../inventories/inventories.module.js';
import { DecisionsService } from './decisions.service.js';
import { FindingsController } from './findings.controller.js';
import { FindingsService } from './findings.service.js';
import { LateScan } from './late-scan.entity.js';
import { LateScansController } from './late-scans.controller.js';
import { LateScansService } from './late-scans.service.js';
import { Misplaced } from './misplaced.entity.js';
import { UnexpectedScan } from './unexpected-scan.entity.js';
import { UnknownCode } from './unknown-code.entity.js';
import { UnknownCodesController } from './unknown-codes.controller.js';
import { UnknownCodesService } from './unknown-codes.service.js';

/** What scans leave for a manager to decide. */
@Module({
  imports: [InventoriesModule, TypeOrmModule.forFeature([LateScan, Misplaced, UnexpectedScan, UnknownCode])],
  controllers: [FindingsController, LateScansController, UnknownCodesController],
  providers: [DecisionsService, FindingsService, LateScansService, UnknownCodesService],
  exports: [UnknownCodesService],
})
export class DecisionsModule {}
