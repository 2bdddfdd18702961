import { describe, expect, it } from '@jest/globals';
import { ListField, StringField } from '../../common/fields/index.js';
import { newId } from '../../common/ids.js';
import type { EnvironmentId } from '../scope.js';
import type { Transaction } from '../transaction.js';
import { defineEvent } from './define-event.js';
import { Outbox, type EventDraft } from './outbox.js';

class Key {
  @StringField()
  name!: string;
}

class Lock {
  @StringField()
  id!: string;

  @ListField(() => Key)
  keys!: Key[];
}

const LOCK_CHANGED = defineEvent('lock.changed', 'Only in this test.', { payload: Lock });
const LOCK_SOLD = defineEvent('lock.sold', 'Only in this test.', { payload: Lock, ofOrganization: true });
const environmentId = newId() as EnvironmentId;

/** What the outbox sends to the database as the data of events. */
async function appended(...drafts: Omit<EventDraft, 'resourceId'>[]): Promise<unknown[]> {
  const values = await sent(drafts.map((draft) => ({ ...draft, resourceId: null })));
  return (values[6] as string[]).map((text) => JSON.parse(text) as unknown);
}

async function sent(drafts: EventDraft[]): Promise<unknown[]> {
  const statements: unknown[][] = [];
  const tx = { send: (_: unknown, values: unknown[]) => statements.push(values) } as unknown as Transaction;
  await new Outbox().append(environmentId, drafts, tx);
  return statements[0]!;
}

describe('what an event carries', () => {
  const lock = { id: 'a', keys: [{ name: 'front', code: '1234' }], masterCode: '0000', organizationId: 'o' };

  it('is what its payload declares, at every depth', async () => {
    expect(await appended({ event: LOCK_CHANGED, data: lock })).toEqual([{ id: 'a', keys: [{ name: 'front' }] }]);
  });

  it('names the organization where it happens to one', async () => {
    expect(await appended({ event: LOCK_SOLD, data: lock })).toEqual([
      { id: 'a', keys: [{ name: 'front' }], organizationId: 'o' },
    ]);
  });

  it('is decided for each event of a batch by its own payload', async () => {
    const named = defineEvent('key.named', 'Only in this test.', { payload: Key });
    const data = await appended({ event: LOCK_CHANGED, data: lock }, { event: named, data: { ...lock, name: 'n' } });
    expect(data).toEqual([{ id: 'a', keys: [{ name: 'front' }] }, { name: 'n' }]);
  });
});

class Loan {
  @StringField()
  id!: string;

  @StringField()
  userId!: string;
}

describe('the user an event is about', () => {
  const lent = defineEvent('key.lent', 'Only in this test.', { payload: Loan });
  const keeper = defineEvent('keeper.named', 'Only in this test.', { payload: Key, subject: 'record' });
  const [anna, ben, key] = [newId(), newId(), newId()];

  it.each([
    ['its record, where the kind of event says so', { event: keeper, resourceId: anna, data: {}, userId: ben }, anna],
    ['the user that its payload names', { event: lent, resourceId: key, data: { userId: anna }, userId: ben }, anna],
    ['whoever caused it, where the payload names nobody', { event: lent, resourceId: key, data: {}, userId: ben }, ben],
    ['not guessed from what the payload does not declare', about(LOCK_CHANGED, { userId: anna }), null],
    ['never what is no id', about(lent, { userId: 'anna' }), null],
  ])('is %s', async (_, draft, subject) => {
    expect((await sent([draft]))[9]).toEqual([subject]);
  });

  function about(event: EventDraft['event'], data: object): EventDraft {
    return { event, resourceId: null, data };
  }
});
