import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { changing } from '../database/audit.js';
import type { Actor } from '../database/audit.js';
import type { Once } from '../contract/creation.js';
import { DomainError, notFound } from '../common/errors.js';
import type { Precondition } from '../contract/etag.js';
import { say } from '../common/messages.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import { holdRow } from '../database/sql.js';
import type { CreateSupplierDto, SupplierQuery, UpdateSupplierDto } from './suppliers.dto.js';
import { Supplier } from './supplier.entity.js';
import { supplierMessages } from './suppliers.messages.js';
import { problems } from '../common/problems.js';

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

  create<Answer>(fields: CreateSupplierDto, actor: Actor, once: Once<Supplier, Answer>): Promise<Answer> {
    return changing(this.suppliers.manager, actor, (manager) =>
      once(manager, async () => {
        const { identifiers } = await manager.insert(Supplier, { ...fields });
        return this.get((identifiers[0] as Supplier).id, manager);
      }),
    );
  }

  /** @throws DomainError stale */
  update(
    id: number,
    fields: UpdateSupplierDto,
    actor: Actor,
    isExpected: Precondition<Supplier>,
  ): Promise<Supplier> {
    return changing(this.suppliers.manager, actor, async (manager) => {
      await holdRow(manager, 'suppliers', id);
      const supplier = await this.get(id, manager);
      isExpected(supplier);
      if (Object.keys(fields).length === 0) return supplier;
      await manager.update(Supplier, id, { ...fields });
      return this.get(id, manager);
    });
  }

  /** @throws DomainError in-use when live purchases name it, stale */
  async delete(id: number, actor: Actor, isExpected: Precondition<Supplier>): Promise<void> {
    await changing(this.suppliers.manager, actor, async (manager) => {
      // A purchase being written holds a share of this lock until it is committed.
      await manager.query(`SELECT FROM suppliers WHERE id = $1 FOR UPDATE`, [id]);
      isExpected(await this.get(id, manager));
      const [{ uses }] = await manager.query<[{ uses: number }]>(
        `SELECT count(*) AS uses FROM purchases WHERE supplier_id = $1 AND deleted_at IS NULL`,
        [id],
      );
      if (uses > 0) throw new DomainError('in-use', { detail: say(problems['in-use'].detail, uses) });
      await manager.query(`UPDATE suppliers SET deleted_at = now() WHERE id = $1`, [id]);
    });
  }
}
