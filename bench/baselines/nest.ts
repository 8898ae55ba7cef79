import 'reflect-metadata';
import { Module, ValidationPipe } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { NextFunction, Request, Response } from 'express';
import { Article } from '../../src/articles/article.entity.js';
import { User } from '../../src/auth/user.entity.js';
import { Inventory } from '../../src/inventories/inventory.entity.js';
import { InventoryLine } from '../../src/inventories/inventory-line.entity.js';
import { Location } from '../../src/locations/location.entity.js';
import { Purchase } from '../../src/purchases/purchase.entity.js';
import { AmortizationCategory, Brand, Category } from '../../src/reference/reference.entity.js';
import { Supplier } from '../../src/suppliers/supplier.entity.js';
import { Tier } from '../../src/tiers/tier.entity.js';
import { ScanController } from './nest.controller.js';
import { Account, Permission, Role, Token } from './nest.entities.js';
import { TokenGuard } from './nest.guard.js';
import { observe, registry } from './observe.js';
import { database } from './purchases.js';

const catalogue = [Purchase, Article, Supplier, Location, Tier, Brand, Category, AmortizationCategory];
const entities = [...catalogue, Inventory, InventoryLine, User, Token, Account, Role, Permission];

@Module({
  imports: [TypeOrmModule.forRoot({ ...database, entities }), TypeOrmModule.forFeature(entities)],
  controllers: [ScanController],
  providers: [{ provide: APP_GUARD, useClass: TokenGuard }],
})
class BaselineModule {}

const app = await NestFactory.create<NestExpressApplication>(BaselineModule, { logger: ['error'] });
app.disable('x-powered-by');
app.disable('etag');
app.use((request: Request, response: Response, next: NextFunction) => {
  observe(request, response);
  next();
});
app.use('/health/ready', (_request: Request, response: Response) => void response.json({}));
app.use(
  '/metrics',
  async (_request: Request, response: Response) => void response.end(await registry.metrics()),
);
app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }));
await app.listen(Number(process.env.PORT), '127.0.0.1');
