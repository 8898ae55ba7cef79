import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { DomainError, notFound } from '../common/errors.js';
import { say } from '../common/messages.js';
import { paginate } from '../common/pagination.js';
import type { Page } from '../common/pagination.js';
import type { CreateSupplierDto, SupplierQuery, UpdateSupplierDto } from './suppliers.dto.js';
import { Supplier } from './supplier.entity.js';

@Injectable()
export class SuppliersService {
  constructor(@InjectRepository(Supplier) private readonly suppliers: Repository<Supplier>) {}

  list(query: SupplierQuery): Promise<Page<Supplier>> {
    const rows = this.suppliers.createQueryBuilder('supplier').where({ deleted_at: IsNull() });
    if (query.search) rows.andWhere('supplier.search_text LIKE search_pattern(:search)', query);
    if (query.is_active !== undefined) rows.andWhere({ is_active: query.is_active });
    return paginate(rows, query, {
      id: { by: 'supplier.id', type: 'integer', of: (row) => row.id },
      name: { by: 'supplier.name', type: 'text', of: (row) => row.name },
      created_at: { by: 'supplier.created_at', type: 'timestamptz', of: (row) => row.created_at },
    });
  }

  async get(id: number): Promise<Supplier> {
    const supplier = await this.suppliers.findOneBy({ id, deleted_at: IsNull() });
    if (!supplier) throw notFound('supplier');
    return supplier;
  }

  async create(fields: CreateSupplierDto): Promise<Supplier> {
    const { identifiers } = await this.suppliers.insert({ ...fields });
    return this.get((identifiers[0] as Supplier).id);
  }

  async update(id: number, fields: UpdateSupplierDto): Promise<Supplier> {
    if (Object.keys(fields).length > 0)
      await this.suppliers.update({ id, deleted_at: IsNull() }, { ...fields });
    return this.get(id);
  }

  /** @throws DomainError in-use when live purchases name it */
  async delete(id: number): Promise<void> {
    await this.suppliers.manager.transaction(async (manager) => {
      // A purchase being written holds a share of this lock until it is committed.
      const rows = await manager.query<unknown[]>(
        `SELECT FROM suppliers WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`,
        [id],
      );
      if (rows.length === 0) throw notFound('supplier');
      const [{ uses }] = await manager.query<[{ uses: number }]>(
        `SELECT count(*) AS uses FROM purchases WHERE supplier_id = $1 AND deleted_at IS NULL`,
        [id],
      );
      if (uses > 0) throw new DomainError('in-use', { detail: say('in_use', uses) });
      await manager.query(`UPDATE suppliers SET deleted_at = now() WHERE id = $1`, [id]);
    });
  }
}
