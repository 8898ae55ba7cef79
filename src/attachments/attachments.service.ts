import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import type { Principal } from '../auth/access.js';
import { DomainError, invalid, notFound, notTheirs } from '../common/errors.js';
import { say } from '../common/messages.js';
import type { Creator } from '../contract/creation.js';
import type { Changer } from '../contract/etag.js';
import { joinNamed } from '../contract/page-rows.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import { createRow, deleteRow, updateRow } from '../contract/rows.js';
import type { RowOf } from '../contract/rows.js';
import { mapConstraints } from '../database/errors.js';
import type { Caller } from '../database/audit.js';
import type { StoredFile } from '../http/stored-file.js';
import type { Incoming } from '../http/upload.js';
import { Attachment } from './attachment.entity.js';
import type { AttachmentsQuery, UpdateAttachmentDto } from './attachments.dto.js';
import { attachmentMessages } from './attachments.messages.js';
import { KeptFiles } from './kept-files.js';
import { findOwner, viewOf } from './owners.js';
import type { Owner } from './owners.js';
import { Uploads } from './uploads.js';

const constraints = {
  ck_attachments_photo: () => invalid({ kind: [say(attachmentMessages.no_photo)] }),
  ck_attachments_chosen: () => invalid({ is_cover: [say(attachmentMessages.cover_photo)] }),
};

/** What has a cover, by the column that names it. */
const THINGS = { purchase_id: 'purchases', article_id: 'articles', equipment_id: 'equipments' };

/** One photo of a thing is chosen at most: after it comes the first one again, not the one that was chosen before it. */
const forgetOthers = (manager: EntityManager, id: number): Promise<unknown> =>
  manager.query(
    `UPDATE attachments SET chosen_at = NULL WHERE chosen_at IS NOT NULL AND id IN (
       ${Object.keys(THINGS)
         .map(
           (of) => `SELECT other.id FROM attachments chosen JOIN attachments other USING (${of})
           WHERE chosen.id = $1 AND other.id <> chosen.id`,
         )
         .join(' UNION ALL ')})`,
    [id],
  );

/** What is of a scan is the cover of nothing. @throws DomainError validation-failed */
async function refuseOfScan(manager: EntityManager, id: number): Promise<void> {
  const sql = `SELECT FROM attachments WHERE id = $1 AND scan_id IS NOT NULL`;
  if ((await manager.query<unknown[]>(sql, [id])).length > 0)
    throw invalid({ is_cover: [say(attachmentMessages.cover_of_scan)] });
}

/** What it is of, first: who chooses a photo writes others of the same thing, and triggers write its cover. */
const holdThing = (id: number) => async (manager: EntityManager) => {
  for (const [of, table] of Object.entries(THINGS))
    await manager.query(
      `SELECT FROM ${table} WHERE id = (SELECT ${of} FROM attachments WHERE id = $1) FOR NO KEY UPDATE`,
      [id],
    );
};

/** Photos and papers of things. */
@Injectable()
export class AttachmentsService {
  constructor(
    @InjectRepository(Attachment) private readonly attachments: Repository<Attachment>,
    private readonly uploads: Uploads,
    private readonly files: KeptFiles,
  ) {}

  /** @throws DomainError not-found where there is nothing that they are of */
  async list(owner: Owner, query: AttachmentsQuery): Promise<Page<Attachment>> {
    await findOwner(this.attachments.manager, owner);
    const rows = this.withRelations().where(owner);
    if (query.kind) rows.andWhere({ kind: query.kind });
    return paginate(rows, query, {
      id: { by: 'attachment.id', type: 'integer', of: (row) => row.id },
      name: { by: 'attachment.name', type: 'text', of: (row) => row.name },
      created_at: { by: 'attachment.created_at', type: 'timestamptz', of: (row) => row.created_at },
    });
  }

  /** @throws DomainError not-found, forbidden for who may not see what it is of */
  async get(
    id: number,
    { permissions }: Pick<Principal, 'permissions'>,
    manager = this.attachments.manager,
  ): Promise<Attachment> {
    const row = await this.withRelations(manager)
      .where({ id })
      .andWhere(
        `num_nonnulls(attachment.deleted_at, purchase.deleted_at, article.deleted_at, inventory.deleted_at) = 0`,
      )
      .getOne();
    if (!row) throw notFound(attachmentMessages.none);
    if (!permissions.includes(viewOf(row))) throw notTheirs({ resource: 'attachment', resource_id: id });
    return row;
  }

  /** With the row that names it. @throws DomainError not-found, forbidden, validation-failed for no image's thumbnail */
  async file(
    id: number,
    size: string | undefined,
    user: Principal,
  ): Promise<{ row: Attachment; file: StoredFile }> {
    const row = await this.get(id, user);
    if (size !== undefined && row.width === null)
      throw invalid({ size: [say(attachmentMessages.no_thumbnail)] });
    return { row, file: await this.files.open(row, size) };
  }

  /**
   * @throws DomainError body-too-large, malformed-body, validation-failed, unsupported-media-type, not-found where there
   * is nothing that it would be of, unavailable where too many come at once
   */
  create<Answer>(
    owner: Owner,
    incoming: Incoming,
    by: Creator<Attachment, Answer, Caller>,
    user: Principal,
  ): Promise<Answer> {
    const { manager } = this.attachments;
    return this.uploads.take(incoming, user.id, (file, fields) =>
      createRow(manager, by, async (own) => {
        await findOwner(own, owner, true);
        await this.files.hold(own, file);
        const { sha256, size } = file;
        const row = { ...owner, ...fields, sha256, size, created_by: user.id };
        const { identifiers } = await mapConstraints(own.insert(Attachment, row), constraints);
        return this.get((identifiers[0] as Attachment).id, { permissions: [viewOf(owner)] }, own);
      }),
    );
  }

  /** @throws DomainError not-found, forbidden, stale, validation-failed for a photo or a cover that is no image */
  update(
    id: number,
    { is_cover, ...fields }: UpdateAttachmentDto,
    by: Changer<Attachment>,
    user: Principal,
  ): Promise<Attachment> {
    const given = is_cover === undefined ? fields : { ...fields, is_cover };
    return updateRow(this.row(id, user), by, given, async (manager) => {
      if (is_cover) await refuseOfScan(manager, id);
      // What is no photo any more is no cover either.
      const isChosen = is_cover ?? (fields.kind && fields.kind !== 'photo' ? false : undefined);
      const chosen = isChosen === undefined ? {} : { chosen_at: isChosen ? () => 'change_instant()' : null };
      await mapConstraints(manager.update(Attachment, id, { ...fields, ...chosen }), constraints);
      if (isChosen) await forgetOthers(manager, id);
    });
  }

  /**
   * Its file goes too, a day later.
   * @throws DomainError not-found, forbidden, stale; session-closed for who may only take back what he added to a scan
   */
  delete(id: number, by: Changer<Attachment>, user: Principal): Promise<void> {
    const row = this.row(id, user);
    if (user.permissions.includes('attachments.manage')) return deleteRow(row, by);
    const read = async (manager: EntityManager): Promise<Attachment> => {
      const own = await row.read(manager);
      if (own.scan_id === null || own.created_by !== user.id)
        throw notTheirs({ resource: 'attachment', resource_id: id });
      const sql = `SELECT FROM inventories WHERE id = $1 AND closed_at IS NULL`;
      if ((await manager.query<unknown[]>(sql, [own.inventory_id])).length === 0)
        throw new DomainError('session-closed');
      return own;
    };
    // Its session is held before it is: whoever closes one waits for those who undo scans, who wait for attachments.
    const hold = (manager: EntityManager) =>
      manager.query(
        `SELECT FROM inventories WHERE id = (SELECT inventory_id FROM attachments WHERE id = $1) FOR SHARE`,
        [id],
      );
    return deleteRow({ ...row, read, hold }, by);
  }

  private row(id: number, user: Principal): RowOf<Attachment> {
    const read = (manager: EntityManager) => this.get(id, user, manager);
    return { manager: this.attachments.manager, table: 'attachments', id, read, hold: holdThing(id) };
  }

  private withRelations(manager = this.attachments.manager): SelectQueryBuilder<Attachment> {
    const rows = joinNamed(manager.createQueryBuilder(Attachment, 'attachment'), ['creator']).leftJoin(
      'attachment.inventory',
      'inventory',
    );
    for (const owner of ['purchase', 'article', 'equipment'])
      rows.leftJoin(`attachment.${owner}`, owner).addSelect([`${owner}.id`, `${owner}.photo_id`]);
    return rows;
  }
}
