import type { WebhookReplay } from './webhook-replay.dto.js';
import type { WebhookReplayEntity } from './webhook-replay.entity.js';

/** A replay as shown in responses, events and audit records. */
export const shownReplay = (row: WebhookReplayEntity): WebhookReplay => ({
  id: row.id,
  webhookId: row.webhookId,
  messages: row.selection,
  startDate: row.since,
  endDate: row.until,
  state: row.state,
  total: row.total,
  done: row.done,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  endedAt: row.endedAt ?? undefined,
});
