import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Import } from './import.entity.js';
import { ImportRows } from './import-rows.js';
import { ImportsController } from './imports.controller.js';
import { ImportsService } from './imports.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Import])],
  controllers: [ImportsController],
  providers: [ImportsService, ImportRows],
  exports: [ImportsService],
})
export class ImportsModule {}
