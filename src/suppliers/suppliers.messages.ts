import type { Messages } from '../common/messages.js';

export const supplierMessages = {
  none: ['There is no such supplier.', 'Ce fournisseur n’existe pas.'],
} as const satisfies Messages;
