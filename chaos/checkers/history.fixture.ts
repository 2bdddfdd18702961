import type { Operation } from '../load/ledger.js';
import type { Receipt } from '../servers/sink.js';
import type { History } from '../world/history.js';

export const operation = (changes: Partial<Operation> = {}): Operation => ({
  ...{ kind: 'createUser', key: 'ada@chaos.example', value: null, outcome: 'ok', status: 201, error: null },
  ...{ invokedAt: 0, endedAt: 10, resultId: 'user-1' },
  ...changes,
});

export const receipt = (changes: Partial<Receipt> = {}): Receipt => ({
  ...{ hook: 'hook1', messageId: 'message-1', eventName: 'user.created', resourceId: 'user-1', connection: 1 },
  ...{ at: 20, endedAt: 25, status: 200, aborted: false },
  ...changes,
});

/** One created user, whose event one webhook accepted at once. */
export const history = (changes: Partial<History> = {}): History => ({
  operations: [operation()],
  receipts: [receipt()],
  users: [{ id: 'user-1', email: 'ada@chaos.example', alias: 'as made', wallets: 0, sessions: 0 }],
  codes: [],
  events: [{ id: 'event-1', name: 'user.created', resourceId: 'user-1', dispatched: true, committed: true }],
  messages: [{ id: 'message-1', hook: 'hook1', eventId: 'event-1', status: 'delivered', attempts: 1, leased: false }],
  deliveries: [{ messageId: 'message-1', attempt: 1, status: 'delivered' }],
  hooks: ['hook1'],
  ...changes,
});
