import type { DeliveryRow, History } from '../world/history.js';
import type { Receipt } from '../servers/sink.js';
import { judge, type Finding } from './finding.js';

/**
 * P5: attempts of a message are numbered from 1 without gaps or duplicates, nothing follows a success, the state of the
 * message is that of its last attempt, and no message is sent concurrently.
 */
export function checkTransitions({ messages, deliveries, receipts }: History): Finding {
  const attempts = Map.groupBy(deliveries, ({ messageId }) => messageId);
  const violations: string[] = [];
  for (const { id, status, attempts: counted, leased } of messages) {
    const rows = (attempts.get(id) ?? []).toSorted((a, b) => a.attempt - b.attempt);
    violations.push(...numberingProblems(id, rows));
    if (rows.length !== counted) violations.push(`message ${id} counts ${counted} attempts and has ${rows.length}`);
    const last = rows.at(-1)?.status;
    if (status === 'delivered' && last !== 'delivered') violations.push(`message ${id} is delivered by no attempt`);
    if (status !== 'delivered' && last === 'delivered') violations.push(`message ${id} was delivered and is ${status}`);
    if (leased && status !== 'sending') violations.push(`message ${id} is ${status} and leased`);
  }
  for (const [id, sent] of Map.groupBy(receipts, ({ messageId }) => messageId)) violations.push(...overlaps(id, sent));
  return judge('P5', `${deliveries.length} attempts, violations ${violations.length}`, violations);
}

function numberingProblems(id: string, rows: readonly DeliveryRow[]): string[] {
  return rows.flatMap(({ attempt, status }, index) => {
    if (attempt !== index + 1) return [`message ${id} has attempt ${attempt} where ${index + 1} belongs`];
    const isFinal = status === 'delivered' && index < rows.length - 1;
    return isFinal ? [`message ${id} was tried again after it was delivered`] : [];
  });
}

function overlaps(id: string, sent: readonly Receipt[]): string[] {
  const ordered = sent.toSorted((a, b) => a.at - b.at);
  return ordered.flatMap((receipt, index) => {
    const before = ordered[index - 1];
    return before && (before.endedAt ?? Infinity) > receipt.at ? [`message ${id} was sent twice at one time`] : [];
  });
}
