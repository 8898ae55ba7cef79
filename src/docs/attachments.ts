import type { AttachmentDto } from '../attachments/attachments.dto.js';
import { SCAN_ID } from './ids.js';

const at = new Date('2026-10-15T08:30:00Z');

const listOf = (id: number, name: string, of: Partial<AttachmentDto>): object => ({
  data: [
    {
      id,
      kind: 'manual',
      name,
      type: 'application/pdf',
      size: 568,
      width: null,
      height: null,
      is_cover: false,
      url: `/api/v1/attachments/${id}`,
      purchase_id: null,
      article_id: null,
      equipment_id: null,
      inventory_id: null,
      scan_id: null,
      ...of,
      created_by: { id: 7, name: 'Compte de démonstration' },
      created_at: at,
      updated_at: at,
    } satisfies AttachmentDto,
  ],
  meta: { current_page: 1, per_page: 50, total: 1, last_page: 1, next_cursor: null },
});

/** Of the demo organisation, by operation: those whose rows are of something else than a purchase. */
export const ATTACHMENT_EXAMPLES: Record<string, object> = {
  listArticleAttachments: listOf(3, 'elitebook-840-g7.pdf', { article_id: 13 }),
  listEquipmentAttachments: listOf(4, 'entretien-groupe.pdf', { equipment_id: 1 }),
  listScanAttachments: listOf(5, 'etat.png', {
    kind: 'photo',
    type: 'image/png',
    size: 1312,
    width: 640,
    height: 480,
    inventory_id: 3,
    scan_id: SCAN_ID,
  }),
};
