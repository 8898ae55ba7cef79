/** What webhooks are told of. */
export const EVENTS = [
  'scan.recorded', 'scan.undone',
  'inventory.opened', 'inventory.closed', 'inventory.reopened',
  'purchase.created', 'purchase.updated', 'purchase.deleted', 'purchase.disposed',
  'import.done',
] as const; // prettier-ignore
export const PING = 'webhook.ping';

/** What may be asked for: some of them, or all there are and will be. */
export const SUBSCRIPTIONS = [...EVENTS, '*'] as const;
export type Subscription = (typeof SUBSCRIPTIONS)[number];

export const DELIVERY_STATUSES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** As a receiver reads it. */
export const bodyOf = (type: string, at: Date, data: object): string =>
  JSON.stringify({ type, timestamp: at, data });
