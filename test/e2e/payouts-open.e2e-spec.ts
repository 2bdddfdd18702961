import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../src/database/index.js';
import type { TransferState } from '../../src/funding/transfers/exchange-transfer.entity.js';
import { ExchangeTransfersRepository } from '../../src/funding/transfers/exchange-transfers.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

const STATES: readonly TransferState[] = ['sending', 'unknown', 'mfa_required', 'refused', 'not_sent', 'sent'];

interface Columns {
  userId?: string;
  state?: TransferState;
  recipient?: string;
  reference?: string | null;
  minutesAgo?: number;
}

describe('a payout that the service has written down', () => {
  let test: TestApp;
  let world: World;
  let transfers: ExchangeTransfersRepository;
  let here: EnvironmentId;
  let elsewhere: EnvironmentId;
  let userId: string;
  let stranger: string;
  const accountId = randomUUID();

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    world = await World.create(test);
    [here, elsewhere] = [world.environmentId, world.ids.environments.live];
    transfers = test.app.get(ExchangeTransfersRepository, { strict: false });
  });
  beforeEach(async () => {
    await rowsOf(test, 'DELETE FROM exchange_transfers');
    [userId, stranger] = await Promise.all([someone(), someone()]);
  });
  afterAll(() => test.close());

  async function someone(): Promise<string> {
    const made = { email: newEmail() };
    const { body } = await world.api.post<{ user: { id: string } }>(world.path('/users'), made, { expect: 201 });
    return body.user.id;
  }

  /** Sent an hour ago to somebody of its own, but for what is given. */
  async function payout(columns: Columns = {}): Promise<string> {
    const { state = 'sending', recipient = randomUUID(), reference = null, minutesAgo = 60 } = columns;
    const id = randomUUID();
    await rowsOf(
      test,
      `INSERT INTO exchange_transfers (environment_id, id, user_id, credential_id, exchange, account_id, vendor_account,
         recipient, amount, currency, state, reference, refusal, sent_at, checked_at)
       SELECT $1, $2, $3, gen_random_uuid(), 'kraken', $4, 'a', $5, '1', 'ETH', $6, $7, 'unavailable', at, at
       FROM (SELECT now() - $8 * interval '1 minute' AS at) AS t`,
      [here, id, columns.userId ?? userId, accountId, recipient, state, reference, minutesAgo],
    );
    return id;
  }

  const inWork = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => test.app.get(UnitOfWork).run(work);
  const stateOf = async (id: string): Promise<object> =>
    (
      await rowsOf(
        test,
        `SELECT state, reference, refusal, sent_at > now() - interval '1 min' AS "isSent",
           checked_at > now() - interval '1 min' AS "isChecked" FROM exchange_transfers WHERE id = $1`,
        [id],
      )
    )[0]!;

  it('is sent again with a code once, where the vendor has asked for one', async () => {
    const again = (id: string, at = here) => inWork((tx) => transfers.sendAgain(at, id, tx));
    const id = await payout({ state: 'mfa_required' });
    expect(await again(id, elsewhere)).toBe(false);
    expect((await Promise.all(Array.from({ length: 50 }, () => again(id)))).filter(Boolean)).toHaveLength(1);
    expect(await stateOf(id)).toEqual({
      ...{ state: 'sending', reference: null, refusal: null, isSent: true, isChecked: true },
    });
    for (const state of STATES.filter((one) => one !== 'mfa_required')) {
      expect([state, await again(await payout({ state }))]).toEqual([state, false]);
    }
  });

  it('is settled while it is open, and not changed after that', async () => {
    for (const state of STATES) {
      const id = await payout({ state });
      const settle = (at = here) => inWork((tx) => transfers.settle(at, id, { state: 'sent', reference: id }, tx));
      expect(await settle(elsewhere)).toBe(false);
      expect([state, await settle()]).toEqual([state, state === 'sending' || state === 'unknown']);
    }
  });

  it('gives a reference back to the payout that it belongs to, and is open again unless an equal one is', async () => {
    const release = (reference: string, to: string, at = here) =>
      inWork((tx) => transfers.releaseName(at, { id: to, exchange: 'kraken', reference }, tx));
    const named = (columns: Columns = {}) => payout({ state: 'sent', reference: randomUUID(), ...columns });
    const referenceOf = async (id: string) => ((await stateOf(id)) as { reference: string }).reference;
    const id = await named();
    const reference = await referenceOf(id);
    expect(await release(reference, id)).toBeNull();
    expect(await release(reference, randomUUID(), elsewhere)).toBeNull();
    expect(await release(reference, randomUUID())).toBe(id);
    expect(await stateOf(id)).toMatchObject({ state: 'unknown', reference: null, refusal: null });
    for (const state of ['sending', 'unknown'] as const) {
      const recipient = `Ab${randomUUID()}`;
      const second = await named({ recipient });
      await payout({ state, recipient: recipient.toUpperCase() });
      expect(await release(await referenceOf(second), randomUUID())).toBe(second);
      expect(await stateOf(second)).toMatchObject({ state: 'sent', reference: null });
    }
    const third = await named({ recipient: 'r' });
    await payout({ recipient: 'r', userId: stranger });
    await release(await referenceOf(third), randomUUID());
    expect(await stateOf(third)).toMatchObject({ state: 'unknown' });
  });

  it('is compared with those of its user that the vendor has or may have', async () => {
    const [own, reference] = [await payout(), randomUUID()];
    await payout({ state: 'sent', reference });
    await payout({ state: 'unknown' });
    await payout({ state: 'not_sent' });
    await payout({ state: 'refused' });
    await payout({ userId: stranger, state: 'sent', reference: randomUUID() });
    const others = await transfers.othersOf(here, { userId, id: own });
    expect(others.map((one) => one.reference)).toEqual(expect.arrayContaining([reference, null]));
    expect(others).toHaveLength(2);
    expect(await transfers.othersOf(elsewhere, { userId, id: own })).toEqual([]);
  });

  it('is looked up by one of fifty, while it is open and nobody did so for a while', async () => {
    const due = new Set<string>();
    for (const state of STATES) {
      await payout({ state, minutesAgo: 4 });
      const id = await payout({ state, minutesAgo: 6 });
      if (state === 'sending' || state === 'unknown') due.add(id);
    }
    const claims = await Promise.all(Array.from({ length: 50 }, () => transfers.claimOpen(300, 1)));
    const claimed = claims.flat().map(({ id }) => id);
    expect([claimed.length, new Set(claimed)]).toEqual([2, due]);
    const [first] = claimed;
    expect(await transfers.wasSentBefore(here, first!, 5 * 60)).toBe(true);
    expect(await transfers.wasSentBefore(here, first!, 7 * 60)).toBe(false);
    expect(await transfers.wasSentBefore(elsewhere, first!, 5 * 60)).toBe(false);
  });
});
