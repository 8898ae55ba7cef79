import { Body, ConflictException, Controller, Get, HttpCode, NotFoundException } from '@nestjs/common';
import { Param, ParseIntPipe, Post, Req } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import type { Request } from 'express';
import { IsNull, Repository } from 'typeorm';
import { Inventory } from '../../src/inventories/inventory.entity.js';
import { InventoryLine } from '../../src/inventories/inventory-line.entity.js';
import { Purchase } from '../../src/purchases/purchase.entity.js';
import type { Call } from './observe.js';
import { toPurchase } from './purchases.js';

class ScanDto {
  @IsString()
  @IsNotEmpty()
  @MaxLength(2000)
  code: string;
}

const relations = {
  article: { brand: true, category: true, amortization_category: true },
  supplier: true,
  location: true,
  assigned_tier: true,
};

@Controller('api/v1')
export class ScanController {
  constructor(@InjectRepository(Purchase) private readonly purchases: Repository<Purchase>) {}

  @Get('scan/:code')
  async lookUp(@Param('code') code: string) {
    const purchase = await this.purchases.findOne({ where: { code, deleted_at: IsNull() }, relations });
    if (!purchase) throw new NotFoundException();
    return toPurchase(purchase);
  }

  /** Keeps no figures of the session, so that it does less than the service. */
  @Post('inventories/:id/scan')
  @HttpCode(200)
  scan(@Param('id', ParseIntPipe) id: number, @Body() { code }: ScanDto, @Req() request: Request) {
    return this.purchases.manager.transaction(async (manager) => {
      const session = await manager.findOne(Inventory, {
        where: { id },
        select: { id: true, closed_at: true },
      });
      if (!session) throw new NotFoundException();
      const purchase = await manager.findOne(Purchase, { where: { code }, relations: { article: true } });
      if (!purchase || session.closed_at) throw new ConflictException();
      const key = { inventory_id: id, purchase_id: purchase.id };
      const line = await manager.findOneBy(InventoryLine, key);
      if (!line || line.scanned_at) throw new ConflictException();
      const scanned_at = new Date();
      const [{ scan_id }] = await manager.query<[{ scan_id: number }]>(
        `SELECT nextval('inventory_scan_seq') AS scan_id`,
      );
      const scan = { scan_id, scanned_at, scanned_by: (request as Call).caller!.id };
      await manager.update(InventoryLine, { ...key, scan_id: IsNull() }, scan);
      const { article } = purchase;
      const shown = { id: purchase.id, code: purchase.code, article: { id: article.id, name: article.name } };
      return {
        status: 'success',
        reason: 'recorded',
        message: 'Article ajouté',
        code: purchase.code,
        scanned_at,
        purchase: shown,
        scan_id,
      };
    });
  }
}
