import { describe, expect, it } from '@jest/globals';
import { Clock } from '../../common/clock.js';
import { ListField, StringField } from '../../common/fields/index.js';
import { newId } from '../../common/ids.js';
import { SecurityLog } from '../../common/security/index.js';
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
  const sent: unknown[][] = [];
  const tx = { send: (_: unknown, values: unknown[]) => sent.push(values) } as unknown as Transaction;
  const whole = drafts.map((draft) => ({ ...draft, resourceId: null }));
  await new Outbox(new SecurityLog(new Clock())).append(environmentId, whole, tx);
  return (sent[0]?.[6] as string[]).map((text) => JSON.parse(text) as unknown);
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
