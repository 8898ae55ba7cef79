import { Module } from '@nestjs/common';
import { PurchasesModule } from '../purchases/purchases.module.js';
import { HistoryController } from './history.controller.js';
import { HistoryService } from './history.service.js';

@Module({
  imports: [PurchasesModule],
  controllers: [HistoryController],
  providers: [HistoryService],
})
export class HistoryModule {}
