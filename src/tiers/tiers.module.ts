import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Tier } from './tier.entity.js';
import { TiersController } from './tiers.controller.js';
import { TiersService } from './tiers.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Tier])],
  controllers: [TiersController],
  providers: [TiersService],
})
export class TiersModule {}
