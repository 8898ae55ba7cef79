import type { DeliveryDto } from '../webhooks/deliveries.dto.js';
import type { RotatedWebhookDto, WebhookDto, WebhookSecretDto } from '../webhooks/webhooks.dto.js';

const at = new Date('2026-10-15T08:30:00Z');
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

const active: WebhookDto = {
  id: 1,
  url: 'https://example.org/hooks/recense',
  events: ['scan.recorded', 'inventory.closed'],
  description: 'Tableau de bord de la comptabilité',
  is_active: true,
  disabled_reason: null,
  created_at: at,
  updated_at: at,
};

const created: WebhookSecretDto = { ...active, id: 2, secret: SECRET };
const rotated: RotatedWebhookDto = {
  ...active,
  is_active: false,
  secret: SECRET,
  previous_secret_until: new Date('2026-10-16T08:30:00Z'),
};

const waiting: DeliveryDto = {
  id: 3,
  message_id: 'msg_7c2d9b401e5f4a86b3d28f0c6a1e7d95',
  event: 'webhook.ping',
  status: 'waiting',
  tries: [],
  next_try_at: at,
  answer: null,
  created_at: at,
};
const resent: DeliveryDto = {
  ...waiting,
  id: 2,
  message_id: 'msg_3f0a7c119a534f0e8d0a0b6f3c1e5d0a',
  event: 'inventory.closed',
  tries: [{ at: at.toISOString(), status: 410, ms: 212, error: null }],
  answer: 'Gone',
};

/** By the operation: how a webhook and a message are after it. */
export const WEBHOOK_EXAMPLES: Record<string, object> = {
  createWebhook: created,
  updateWebhook: active,
  rotateWebhookSecret: rotated,
  pingWebhook: waiting,
  resendWebhookDelivery: resent,
};
