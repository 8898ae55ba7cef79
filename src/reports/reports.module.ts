import { Module } from '@nestjs/common';
import { InventoriesModule } from '../inventories/inventories.module.js';
import { ProgressController } from './progress.controller.js';
import { ProgressService } from './progress.service.js';
import { ReportController } from './report.controller.js';
import { ReportService } from './report.service.js';

@Module({
  imports: [InventoriesModule],
  controllers: [ProgressController, ReportController],
  providers: [ProgressService, ReportService],
  exports: [ProgressService],
})
export class ReportsModule {}
