import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LabelsModule } from '../labels/labels.module.js';
import { Location } from './location.entity.js';
import { LocationsController } from './locations.controller.js';
import { LocationsService } from './locations.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Location]), LabelsModule],
  controllers: [LocationsController],
  providers: [LocationsService],
})
export class LocationsModule {}
