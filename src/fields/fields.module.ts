import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OwnField } from './field.entity.js';
import { FieldsController } from './fields.controller.js';
import { FieldsService } from './fields.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([OwnField])],
  controllers: [FieldsController],
  providers: [FieldsService],
})
export class FieldsModule {}
