import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { InventoriesModule } from '../inventories/inventories.module.js';
import { ScansModule } from '../scans/scans.module.js';
import { EventsService } from './events.service.js';
import { LiveController } from './live.controller.js';
import { LiveService } from './live.service.js';

@Module({
  imports: [AuthModule, InventoriesModule, ScansModule],
  controllers: [LiveController],
  providers: [EventsService, LiveService],
})
export class LiveModule {}
