import type { History } from '../world/history.js';
import { judge, type Finding } from './finding.js';

/** P3: nothing unknown to the database was sent, and no event reports work that was rolled back. */
export function checkPhantoms({ receipts, messages, events }: History): Finding {
  const known = new Set(messages.map(({ id }) => id));
  const unknown = new Set(receipts.map(({ messageId }) => messageId).filter((id) => !known.has(id)));
  const violations = [
    ...[...unknown].map((id) => `message ${id} was sent and is not in the database`),
    ...events
      .filter(({ committed }) => !committed)
      .map(({ id, name, resourceId }) => `event ${name} ${id} tells of ${resourceId}, which does not exist`),
  ];
  return judge('P3', `${receipts.length} requests, phantoms ${violations.length}`, violations);
}
