import { describe, expect, it } from '@jest/globals';
import type { History } from '../world/history.js';
import { checkAcknowledged } from './acknowledged.js';
import { checkDelivered } from './delivered.js';
import { checkDuplicates } from './duplicates.js';
import { atMost, beside, landed, overall, type Finding } from './finding.js';
import { history, operation, receipt } from './history.fixture.js';
import { checkLeaks } from './leaks.js';
import { checkPhantoms } from './phantoms.js';
import { checkRecovery } from './recovery.js';
import { checkTransitions } from './transitions.js';

const NOBODY = { waiting: new Set<string>() };
const NONE = { duplicates: 0, perMessage: 0 };
const [message] = history().messages;

const CHECKS: Readonly<Record<string, (found: History) => Finding>> = {
  P1: checkAcknowledged,
  P2: (found) => checkDelivered(found, NOBODY),
  P3: checkPhantoms,
  P4: (found) => checkDuplicates(found, NONE),
  P5: checkTransitions,
};

/** What a faulty service would leave behind, by the property it breaks and the words that must say so. */
const PLANTED: readonly [string, string, Partial<History>, string][] = [
  ['P1', 'a user who was acknowledged and is not there', { users: [] }, 'acknowledged and is lost'],
  ['P1', 'a user who was refused and is there', { operations: [operation({ outcome: 'refused' })] }, 'refused'],
  ['P1', 'another id than was answered', { operations: [operation({ resultId: 'user-2' })] }, 'another id'],
  [
    ...(['P1', 'an update that was acknowledged and overwritten'] as const),
    { operations: [operation(), operation({ kind: 'updateUser', key: 'user-1', value: 'new' })] },
    'is "as made", not "new"',
  ],
  [
    ...(['P1', 'a wallet that was acknowledged and is not there'] as const),
    { operations: [operation({ kind: 'createWallet' })] },
    'wallet of ada@chaos.example',
  ],
  [
    ...(['P1', 'a sign-in whose code is still good'] as const),
    { operations: [operation({ kind: 'signIn', key: 'code-1' })] },
    'its code is unused',
  ],
  [
    ...(['P1', 'a sign-in without a session'] as const),
    {
      operations: [operation({ kind: 'signIn', key: 'code-1' })],
      codes: [{ id: 'code-1', email: 'ada@chaos.example', used: true }],
    },
    'session of code-1 is lost',
  ],
  [
    ...(['P2', 'an event that waits for ever'] as const),
    { events: history().events.map((event) => ({ ...event, dispatched: false })) },
    'never dispatched',
  ],
  ['P2', 'an event without a message', { messages: [] }, 'has no message for hook1'],
  ['P2', 'a delivery that the receiver never had', { receipts: [] }, 'never took it'],
  ['P2', 'a delivery that the receiver refused', { receipts: [receipt({ status: 500 })] }, 'never took it'],
  ['P2', 'an acknowledged user without an event', { events: [] }, 'without an event'],
  ['P2', 'a message that waits', { messages: [{ ...message!, status: 'sending' }] }, 'still sending'],
  [
    ...(['P2', 'a message that failed untried'] as const),
    { messages: [{ ...message!, status: 'failed' }], deliveries: [] },
    'failed without an attempt',
  ],
  ['P3', 'a request for a message that does not exist', { messages: [] }, 'is not in the database'],
  [
    ...(['P3', 'an event of work that was undone'] as const),
    { events: history().events.map((event) => ({ ...event, committed: false })) },
    'which does not exist',
  ],
  [
    ...(['P4', 'a message that was taken twice'] as const),
    { receipts: [receipt(), receipt({ at: 30, endedAt: 31 })] },
    '1 more than were under way',
  ],
  ['P4', 'an attempt that nobody recorded', { deliveries: [] }, 'sent 1 times too often'],
  [
    ...(['P5', 'a gap in the attempts'] as const),
    { deliveries: [{ messageId: 'message-1', attempt: 2, status: 'delivered' }] },
    'has attempt 2 where 1 belongs',
  ],
  [
    ...(['P5', 'an attempt after the success'] as const),
    {
      messages: [{ ...message!, attempts: 2 }],
      deliveries: [1, 2].map((attempt) => ({ messageId: 'message-1', attempt, status: 'delivered' })),
    },
    'tried again after it was delivered',
  ],
  ['P5', 'a wrong count', { messages: [{ ...message!, attempts: 2 }] }, 'counts 2 attempts and has 1'],
  ['P5', 'a state that no attempt explains', { messages: [{ ...message!, status: 'failed' }] }, 'and is failed'],
  ['P5', 'a lease that outlived its end', { messages: [{ ...message!, leased: true }] }, 'delivered and leased'],
  [
    ...(['P5', 'two requests at one time'] as const),
    { receipts: [receipt(), receipt({ at: 24, endedAt: 30 })] },
    'sent twice at one time',
  ],
];

describe('the checkers', () => {
  it('find nothing wrong with a history of which all is well', () => {
    for (const check of Object.values(CHECKS)) expect(check(history())).toMatchObject({ verdict: 'PASS' });
  });

  it.each(PLANTED)('%s is broken by %s', (property, _what, changes, words) => {
    const finding = CHECKS[property]!(history(changes));
    expect(finding).toMatchObject({ what: property, verdict: 'FAIL', says: expect.stringContaining(words) });
  });

  it('P1 leaves open what became of operations without an answer', () => {
    const unknown = operation({ outcome: 'unknown', resultId: null });
    const update = operation({ kind: 'updateUser', key: 'user-1', value: 'new', outcome: 'unknown' });
    expect(checkAcknowledged(history({ operations: [unknown], users: [] }))).toMatchObject({ verdict: 'PASS' });
    expect(checkAcknowledged(history({ operations: [operation(), update] }))).toMatchObject({ verdict: 'PASS' });
  });

  it('P2 lets messages to a receiver that takes nothing wait for their schedule', () => {
    const waiting = history({ messages: [{ ...message!, status: 'pending' }], receipts: [] });
    expect(checkDelivered(waiting, { waiting: new Set(['hook1']) })).toMatchObject({ verdict: 'PASS' });
  });

  it('P4 allows as many duplicates as requests were under way, and one for each kill', () => {
    const twice = history({ receipts: [receipt({ status: null, aborted: true }), receipt({ at: 30, endedAt: 31 })] });
    expect(checkDuplicates(twice, { duplicates: 1, perMessage: 1 })).toMatchObject({ verdict: 'PASS' });
    expect(checkDuplicates(twice, { duplicates: 1, perMessage: 0 })).toMatchObject({ verdict: 'FAIL' });
  });

  it('P6 is broken by a first success that comes late, and by one that never comes', () => {
    const late = [operation({ invokedAt: 100, endedAt: 3100 })];
    const recovery = { endedAt: 100, firstSuccessMs: 2000, drainedMs: 5000 };
    expect(checkRecovery(late, 4000, recovery).map(({ verdict }) => verdict)).toEqual(['FAIL', 'PASS']);
    expect(checkRecovery([], 9000, recovery).map(({ verdict }) => verdict)).toEqual(['FAIL', 'FAIL']);
  });

  it('P7 is broken by a secret in a log, in any form', () => {
    const secrets = new Map([['API token', 'gh_live_0123456789abcdef']]);
    const log = (text: string): Map<string, string> => new Map([['api1.log', text]]);
    expect(checkLeaks(secrets, log('nothing'))).toMatchObject({ verdict: 'PASS' });
    for (const form of ['utf8', 'base64', 'hex'] as const) {
      const text = `x ${Buffer.from('gh_live_0123456789abcdef').toString(form)} y`;
      expect(checkLeaks(secrets, log(text))).toMatchObject({ verdict: 'FAIL' });
    }
  });
});

describe('the verdict of a fault', () => {
  it('is inconclusive when it never landed, and a failure when anything failed', () => {
    const missed = landed(0, 5, 'kills');
    expect(overall([atMost('x', 1, 1), missed])).toBe('INCONCLUSIVE');
    expect(overall([missed, atMost('x', 2, 1)])).toBe('FAIL');
    expect(overall([landed(5, 5, 'kills')])).toBe('PASS');
  });

  it('in the short run blames the machine for a duration beyond its limit, and nothing else', () => {
    const verdict = (unit: string, figure: number) => beside(atMost('x', figure, 1, unit)).verdict;
    expect([verdict(' ms', 2), verdict(' ms', 1), verdict('', 2)]).toEqual(['INCONCLUSIVE', 'PASS', 'FAIL']);
  });
});
