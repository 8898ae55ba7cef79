import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LabelsModule } from '../labels/labels.module.js';
import { DisposalsController } from './disposals.controller.js';
import { DisposalsService } from './disposals.service.js';
import { Purchase } from './purchase.entity.js';
import { PurchaseCounts } from './purchase-counts.js';
import { PurchasesController } from './purchases.controller.js';
import { PurchaseWalkService } from './purchase-walk.service.js';
import { PurchasesService } from './purchases.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Purchase]), LabelsModule],
  controllers: [PurchasesController, DisposalsController],
  providers: [PurchasesService, PurchaseWalkService, PurchaseCounts, DisposalsService],
  exports: [PurchasesService, PurchaseWalkService, DisposalsService],
})
export class PurchasesModule {}
