import { Module } from '@nestjs/common';
import { AmortizationController } from './amortization.controller.js';
import { AmortizationService } from './amortization.service.js';

@Module({
  controllers: [AmortizationController],
  providers: [AmortizationService],
})
export class AmortizationModule {}
