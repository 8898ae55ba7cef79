import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { Creator } from '../contract/creation.js';
import type { Actor } from '../database/audit.js';
import { notFound } from '../common/errors.js';
import type { Changer } from '../contract/etag.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import { createRow, deleteRow, restoreRow, updateRow } from '../contract/rows.js';
import type { RowOf } from '../contract/rows.js';
import type { CreateSupplierDto, SupplierQuery, UpdateSupplierDto } from './suppliers.dto.js';
import { Supplier } from './supplier.entity.js';
import { supplierMessages } from './suppliers.messages.js';

@Injectable()
export class SuppliersService {
  constructor(@InjectRepository(Supplier) private readonly suppliers: Repository<Supplier>) {}

  list(query: SupplierQuery): Promise<Page<Supplier>> {
    const rows = this.suppliers.createQueryBuilder('supplier');
    if (query.search) rows.andWhere('supplier.search_text LIKE search_pattern(:search)', query);
    if (query.is_active !== undefined) rows.andWhere({ is_active: query.is_active });
    return paginate(rows, query, {
      id: { by: 'supplier.id', type: 'integer', of: (row) => row.id },
      name: { by: 'supplier.name', type: 'text', of: (row) => row.name },
      created_at: { by: 'supplier.created_at', type: 'timestamptz', of: (row) => row.created_at },
    });
  }

  async get(id: number, manager = this.suppliers.manager): Promise<Supplier> {
    const supplier = await manager.findOneBy(Supplier, { id, deleted_at: IsNull() });
    if (!supplier) throw notFound(supplierMessages.none);
    return supplier;
  }

  create<Answer>(fields: CreateSupplierDto, by: Creator<Supplier, Answer>): Promise<Answer> {
    return createRow(this.suppliers.manager, by, async (manager) => {
      const { identifiers } = await manager.insert(Supplier, { ...fields });
      return this.get((identifiers[0] as Supplier).id, manager);
    });
  }

  /** @throws DomainError stale */
  update(id: number, fields: UpdateSupplierDto, by: Changer<Supplier>): Promise<Supplier> {
    return updateRow(this.row(id), by, fields, (manager) => manager.update(Supplier, id, { ...fields }));
  }

  /** @throws DomainError in-use when live purchases name it, stale */
  delete(id: number, by: Changer<Supplier>): Promise<void> {
    return deleteRow(this.row(id), by, async (manager) => {
      const [{ uses }] = await manager.query<[{ uses: number }]>(
        `SELECT count(*) AS uses FROM purchases WHERE supplier_id = $1 AND deleted_at IS NULL`,
        [id],
      );
      return uses;
    });
  }

  restore(id: number, actor: Actor): Promise<Supplier> {
    return restoreRow(this.row(id), actor);
  }

  private row(id: number): RowOf<Supplier> {
    const read = (manager: EntityManager) => this.get(id, manager);
    return { manager: this.suppliers.manager, table: 'suppliers', id, read };
  }
}
