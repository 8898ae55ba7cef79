import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AmortizationCategoriesController } from './amortization-categories.controller.js';
import { BrandsController } from './brands.controller.js';
import { CategoriesController } from './categories.controller.js';
import { AmortizationCategory, Brand, Category } from './reference.entity.js';
import { ReferenceService } from './reference.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Brand, Category, AmortizationCategory])],
  controllers: [BrandsController, CategoriesController, AmortizationCategoriesController],
  providers: [ReferenceService],
})
export class ReferenceModule {}
