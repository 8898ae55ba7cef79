import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { InventoriesModule } from '../inventories/inventories.module.js';
import { DecisionsModule } from '../scans/decisions.module.js';
import { EventsService } from './events.service.js';
import { LiveController } from './live.controller.js';
import { LiveService } from './live.service.js';

@Module({
  imports: [AuthModule, InventoriesModule, DecisionsModule],
  controllers: [LiveController],
  providers: [EventsService, LiveService],
})
export class LiveModule {}
