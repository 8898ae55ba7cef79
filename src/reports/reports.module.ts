import { Module } from '@nestjs/common';
import { InventoriesModule } from '../inventories/inventories.module.js';
import { PackController } from './pack.controller.js';
import { PackService } from './pack.service.js';
import { ProgressController } from './progress.controller.js';
import { ProgressService } from './progress.service.js';
import { ReportController } from './report.controller.js';
import { ReportService } from './report.service.js';
import { TalliesService } from './tallies.service.js';

@Module({
  imports: [InventoriesModule],
  controllers: [ProgressController, PackController, ReportController],
  providers: [ProgressService, TalliesService, PackService, ReportService],
})
export class ReportsModule {}
