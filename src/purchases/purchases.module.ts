import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LabelsModule } from '../labels/labels.module.js';
import { DisposalsController } from './disposals.controller.js';
import { DisposalsService } from './disposals.service.js';
import { Purchase } from './purchase.entity.js';
import { PurchaseCounts } from './purchase-counts.js';
import { PurchasesController } from './purchases.controller.js';
import { PurchasesService } from './purchases.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Purchase]), LabelsModule],
  controllers: [PurchasesController, DisposalsController],
  providers: [PurchasesService, PurchaseCounts, DisposalsService],
  exports: [PurchasesService, DisposalsService],
})
export class PurchasesModule {}
