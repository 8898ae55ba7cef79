import type { EntityManager } from 'typeorm';
import { articleMessages } from '../articles/articles.messages.js';
import type { Permission } from '../auth/access.js';
import { notFound } from '../common/errors.js';
import type { Message } from '../common/messages.js';
import { equipmentMessages } from '../equipment/equipment.messages.js';
import { inventoryMessages } from '../inventories/inventories.messages.js';
import { purchaseMessages } from '../purchases/purchases.messages.js';
import { scanMessages } from '../scans/scans.messages.js';
import type { Attachment } from './attachment.entity.js';

/** What an attachment is of, by the fields that say so. */
export type Owner = Partial<
  Pick<Attachment, 'purchase_id' | 'article_id' | 'equipment_id' | 'inventory_id' | 'scan_id'>
>;

interface OwnerKind {
  view: Permission;
  none: Message;
  /** Where it may be, by its ids. */
  rows: string[];
  /** How it is held for an attachment that is added: against whoever does the same, or takes it away. */
  lock: string;
}

const one = (table: string, mark = ' AND deleted_at IS NULL') => ({
  rows: [`SELECT FROM ${table} WHERE id = $1${mark}`],
  lock: 'FOR NO KEY UPDATE',
});
const scanOf = (table: string): string => `SELECT FROM ${table} s WHERE inventory_id = $1 AND scan_id = $2`;

/** By the last field of those that name it. */
const KINDS: Record<keyof Omit<Owner, 'inventory_id'>, OwnerKind> = {
  purchase_id: { view: 'purchases.view', none: purchaseMessages.none, ...one('purchases') },
  article_id: { view: 'articles.view', none: articleMessages.none, ...one('articles') },
  equipment_id: { view: 'equipments.view', none: equipmentMessages.none, ...one('equipments', '') },
  scan_id: {
    view: 'inventories.view',
    none: scanMessages.none,
    rows: [scanOf('inventory_lines'), scanOf('inventory_unexpected')],
    lock: 'FOR SHARE OF s',
  },
};

function kindOf(owner: Owner): OwnerKind {
  const [, kind] = Object.entries(KINDS).find(([field]) => owner[field as keyof Owner] != null)!;
  return kind;
}

/** What it takes to see what an attachment is of, and so the attachment. */
export const viewOf = (owner: Owner): Permission => kindOf(owner).view;

/** @throws DomainError not-found */
export async function findOwner(manager: EntityManager, owner: Owner, isHeld = false): Promise<void> {
  const { rows, lock, none } = kindOf(owner);
  const ids = Object.values(owner);
  if (owner.inventory_id) {
    const session = `SELECT FROM inventories WHERE id = $1 AND deleted_at IS NULL`;
    if ((await manager.query<unknown[]>(session, [owner.inventory_id])).length === 0)
      throw notFound(inventoryMessages.none);
  }
  for (const sql of rows)
    if ((await manager.query<unknown[]>(isHeld ? `${sql} ${lock}` : sql, ids)).length > 0) return;
  throw notFound(none);
}
