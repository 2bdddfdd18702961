import type { Receipt } from '../servers/sink.js';
import type { History } from '../world/history.js';
import { judge, type Finding } from './finding.js';

export interface DuplicateBounds {
  /** The maximum over all messages: requests in progress when a worker was killed. */
  readonly duplicates: number;
  /** The maximum per message: how often workers were killed. */
  readonly perMessage: number;
}

/** Requests beyond the recorded ones, and successes beyond the first: the larger number for each message. */
export function duplicatesOf({ receipts, deliveries }: Pick<History, 'receipts' | 'deliveries'>): Map<string, number> {
  const recorded = countBy(deliveries.map(({ messageId }) => messageId));
  const sent = countBy(receipts.map(({ messageId }) => messageId));
  const taken = countBy(receipts.filter(isTaken).map(({ messageId }) => messageId));
  const found = new Map<string, number>();
  for (const [id, count] of sent) {
    const more = Math.max(count - (recorded.get(id) ?? 0), (taken.get(id) ?? 0) - 1);
    if (more > 0) found.set(id, more);
  }
  return found;
}

/** P4. */
export function checkDuplicates(history: History, bounds: DuplicateBounds): Finding {
  const found = duplicatesOf(history);
  const total = [...found.values()].reduce((sum, count) => sum + count, 0);
  const violations: string[] = [];
  if (total > bounds.duplicates) violations.push(`${total - bounds.duplicates} more than were under way`);
  for (const [id, count] of found) {
    if (count > bounds.perMessage) violations.push(`message ${id} was sent ${count} times too often`);
  }
  return judge('P4', `duplicates ${total} of at most ${bounds.duplicates}`, violations);
}

const isTaken = ({ status }: Receipt): boolean => status !== null && status >= 200 && status < 300;

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
