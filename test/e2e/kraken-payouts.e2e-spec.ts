import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { KeepNamesOfPayoutsApart20261126150001 } from '../../migrations/20261126150001-keep-names-of-payouts-apart.js';
import { Clock } from '../../src/common/clock.js';
import { ExchangeTransfersRepository } from '../../src/funding/transfers/exchange-transfers.repository.js';
import { OpenPayouts } from '../../src/funding/transfers/open-payouts.job.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { TestClient } from '../support/client.js';
import { KRAKEN_ADDRESS } from '../support/exchange-peers.js';
import { enableExchange } from '../support/funded-world.js';
import { MoneyVendors } from '../support/money-vendors.js';
import { addOauthAccount } from '../support/oauth-account.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World } from '../support/world.js';

interface Transfer {
  id: string;
  status: string;
  code?: string;
}
interface Payout {
  id: string;
  to: string;
  amount: number;
  currency: string;
  network?: string;
}

let vendors: MoneyVendors;
let test: TestApp;
let world: World;

beforeAll(async () => {
  vendors = await MoneyVendors.start();
  test = await startTestApp({
    env: { ROLE: 'api', RATE_LIMIT_SCALE: '100', PROVIDER_ADDRESSES: JSON.stringify(vendors.addresses) },
  });
  world = await World.create(test);
  await enableExchange(world, 'kraken');
});
afterAll(async () => {
  await test.close();
  await vendors.close();
});
beforeEach(() => {
  Object.assign(vendors.kraken, { mood: 'well', fee: '0.0005', listedFee: null, alsoTo: [], remarks: [], instead: {} });
});

const payout = (amount = 0.3): Payout => ({ id: randomUUID(), to: KRAKEN_ADDRESS, amount, currency: 'ETH' });

async function holder(accessToken = randomBytes(16).toString('hex')) {
  const { userId, jwt } = await world.signIn(newEmail());
  await addOauthAccount(world, userId, 'kraken', accessToken);
  const client = new TestClient(test.url, jwt);
  const accounts = world.sdk('/exchange/kraken/accounts');
  const headers = await proofOf(world, jwt);
  const [account] = (await client.get<{ id: string }[]>(accounts, { expect: 200 })).body;
  const pay = async (body: Payout, expectStatus = 201): Promise<Transfer> =>
    (await client.post<Transfer>(`${accounts}/${account!.id}/transfer`, body, { expect: expectStatus, headers })).body;
  const sent = () => vendors.kraken.sent.filter((one) => one.holder === accessToken);
  return { pay, sent };
}

async function stateOf({ id }: Payout): Promise<(string | null)[]> {
  const sql = 'SELECT state, reference FROM exchange_transfers WHERE id = $1';
  const [row] = await rowsOf<{ state: string; reference: string | null }>(test, sql, [id]);
  return [row!.state, row!.reference];
}

/** Eleven minutes after it was sent, the job looks. */
async function settleLate({ id }: Payout): Promise<void> {
  const ago = "now() - interval '11 minutes'";
  await rowsOf(test, `UPDATE exchange_transfers SET sent_at = ${ago}, checked_at = ${ago} WHERE id = $1`, [id]);
  await test.app.get(OpenPayouts).run();
}

describe('a payout from Kraken whose answer was lost', () => {
  it('is found by its amount with the fee, which the exchange lists separately', async () => {
    const { pay, sent } = await holder();
    const request = payout();
    vendors.kraken.mood = 'takes-and-dies';
    expect((await pay(request)).status).toBe('unknown');
    vendors.kraken.mood = 'well';
    await settleLate(request);
    expect(await stateOf(request)).toEqual(['sent', sent()[0]!.id]);
    expect((await pay(request)).status).toBe('Pending');
    expect(sent()).toHaveLength(1);
  });

  it.each([{ result: null }, { result: undefined }, { result: {} }, { result: 'none' }])(
    'is not given up because the exchange answers no list: %j',
    async ({ result }) => {
      const { pay, sent } = await holder();
      const request = payout();
      vendors.kraken.mood = 'takes-and-dies';
      await pay(request);
      for (const method of ['WithdrawStatus', 'DepositStatus']) {
        Object.assign(vendors.kraken, { mood: 'well', instead: { [method]: result } });
        await settleLate(request);
        expect((await stateOf(request))[0]).toBe('unknown');
      }
      vendors.kraken.instead = {};
      await settleLate(request);
      expect(await stateOf(request)).toEqual(['sent', sent()[0]!.id]);
    },
  );

  it('is found if the fee is added on top', async () => {
    const { pay, sent } = await holder();
    const request = payout();
    vendors.kraken.mood = 'takes-and-dies';
    await pay(request);
    Object.assign(vendors.kraken, { mood: 'well', fee: '0', listedFee: '0.0007' });
    await settleLate(request);
    expect(await stateOf(request)).toEqual(['sent', sent()[0]!.id]);
  });

  it('is not given up by an instance whose clock is ahead', async () => {
    const { pay } = await holder();
    const request = payout();
    vendors.kraken.mood = 'fails';
    await pay(request);
    vendors.kraken.mood = 'well';
    const ahead = jest.spyOn(test.app.get(Clock), 'timestamp').mockImplementation(() => Date.now() + 900_000);
    await rowsOf(test, "UPDATE exchange_transfers SET checked_at = now() - interval '11 minutes' WHERE id = $1", [
      request.id,
    ]);
    await test.app.get(OpenPayouts).run();
    ahead.mockRestore();
    expect(await stateOf(request)).toEqual(['unknown', null]);
    await settleLate(request);
    expect(await stateOf(request)).toEqual(['not_sent', null]);
  });

  it('stays unknown while a possible match is listed, and becomes not sent once that is another', async () => {
    const { pay, sent } = await holder();
    const [first, second] = [payout(0.3), payout(0.4)];
    vendors.kraken.mood = 'takes-and-dies';
    await pay(first);
    // The exchange has it, and lists it with amounts that do not add up to what was asked for.
    Object.assign(vendors.kraken, { mood: 'fails', listedFee: '0.0002' });
    await pay(second);
    vendors.kraken.mood = 'well';
    await settleLate(second);
    expect(await stateOf(second)).toEqual(['unknown', null]);
    vendors.kraken.listedFee = null;
    await settleLate(first);
    expect(await stateOf(first)).toEqual(['sent', sent()[0]!.id]);
    await settleLate(second);
    expect(await stateOf(second)).toEqual(['not_sent', null]);
    expect(sent()).toHaveLength(1);
  });

  it('is not mistaken for one smaller by the fee if it never reached the exchange', async () => {
    const { pay, sent } = await holder();
    const [larger, smaller] = [payout(0.3), payout(0.2995)];
    vendors.kraken.mood = 'takes-and-dies';
    await pay(larger);
    vendors.kraken.mood = 'fails';
    await pay(smaller);
    vendors.kraken.mood = 'well';
    await settleLate(smaller);
    expect(await stateOf(smaller)).toEqual(['unknown', null]);
    await settleLate(larger);
    expect(await stateOf(larger)).toEqual(['sent', sent()[0]!.id]);
    expect(sent()).toHaveLength(1);
  });
});

describe('a withdrawal at Kraken', () => {
  it('belongs to the payout of the account’s former user, and not also to one of its present user', async () => {
    const accessToken = randomBytes(16).toString('hex');
    const before = await holder(accessToken);
    const first = payout();
    await before.pay(first);
    const after = await holder(accessToken);
    const second = payout();
    vendors.kraken.mood = 'fails';
    await after.pay(second);
    vendors.kraken.mood = 'well';
    expect((await after.pay(second)).status).toBe('unknown');
    await settleLate(second);
    expect(await stateOf(second)).toEqual(['unknown', null]);
    expect(await stateOf(first)).toEqual(['sent', before.sent()[0]!.id]);
  });

  it('belongs to the payout whose response named it, whichever was matched meanwhile', async () => {
    const { pay, sent } = await holder();
    const [lost, named] = [payout(0.3007), payout(0.3)];
    vendors.kraken.mood = 'fails';
    await pay(lost);
    Object.assign(vendors.kraken, { mood: 'well', fee: '0', listedFee: '0.0007' });
    const transfers = test.app.get(ExchangeTransfersRepository);
    const { settle } = transfers;
    // Between the answer and its being written down.
    transfers.settle = async (...[environmentId, id, to, tx]) => {
      transfers.settle = settle;
      await settleLate(lost);
      expect((await stateOf(lost))[0]).toBe('sent');
      return settle.call(transfers, environmentId, id, to, tx);
    };
    try {
      expect((await pay(named)).status).toBe('pending');
    } finally {
      transfers.settle = settle;
    }
    expect(await stateOf(named)).toEqual(['sent', sent()[0]!.id]);
    expect(await stateOf(lost)).toEqual(['unknown', null]);
    const told = await eventsOf(test, world.environmentId, lost.id);
    expect(told.map(({ data }) => data['status'])).toEqual(['sending', 'unknown', 'Pending', 'unknown']);
  });

  it('matched to two payouts belongs to the first after the schema change', async () => {
    const { pay, sent } = await holder();
    const [first, second] = [payout(0.3), payout(0.4)];
    await pay(first);
    await pay(second);
    const runner = test.app.get(DataSource).createQueryRunner();
    const migration = new KeepNamesOfPayoutsApart20261126150001();
    const named = async () =>
      (await runner.query(
        'SELECT id, state, reference FROM exchange_transfers WHERE id = ANY ($1) ORDER BY created_at',
        [[first.id, second.id]],
      )) as object[];
    const [one] = sent();
    await runner.startTransaction();
    try {
      await migration.down(runner);
      await runner.query('UPDATE exchange_transfers SET reference = $2 WHERE id = $1', [second.id, one!.id]);
      await migration.up(runner);
      expect(await named()).toEqual([
        { id: first.id, state: 'sent', reference: one!.id },
        { id: second.id, state: 'sent', reference: null },
      ]);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });
});

describe('a payout from Kraken whose answer was lost, and that failed there', () => {
  const failedOnce = async () => {
    const person = await holder();
    const request = payout();
    vendors.kraken.mood = 'takes-and-dies';
    await person.pay(request);
    vendors.kraken.mood = 'well';
    const { id } = person.sent()[0]!;
    vendors.kraken.failed.add(id);
    return { ...person, request, id };
  };

  it('is refused, and nothing stands in the way of another', async () => {
    const { pay, request, id, sent } = await failedOnce();
    expect((await pay(request)).status).toBe('unknown');
    await settleLate(request);
    expect(await stateOf(request)).toEqual(['refused', id]);
    expect((await pay(request, 422)).code).toBe('unknown_transfer_error');
    const told = await eventsOf(test, world.environmentId, request.id);
    expect(told.at(-1)).toMatchObject({ name: 'exchangeTransfer.updated', data: { status: 'Failure' } });
    const again = payout();
    vendors.kraken.mood = 'takes-and-dies';
    await pay(again);
    vendors.kraken.mood = 'well';
    await settleLate(again);
    expect(await stateOf(again)).toEqual(['sent', sent()[1]!.id]);
  });

  it('is refused by the call that detects it', async () => {
    const { pay, request } = await failedOnce();
    await rowsOf(test, "UPDATE exchange_transfers SET sent_at = now() - interval '11 minutes' WHERE id = $1", [
      request.id,
    ]);
    expect((await pay(request, 422)).code).toBe('unknown_transfer_error');
  });

  it('is not mistaken for one that did not fail, whatever is listed first', async () => {
    const { pay, request, id, sent } = await failedOnce();
    // The person has tried it there again.
    vendors.kraken.sent.push({ ...sent()[0]!, id: `${id}-2` });
    await settleLate(request);
    expect(await stateOf(request)).toEqual(['sent', `${id}-2`]);
    expect((await pay(request)).status).toBe('Pending');
  });

  it('does not hide another, whatever its amount', async () => {
    const { pay, request } = await failedOnce();
    vendors.kraken.mood = 'fails';
    const other = payout(0.4);
    await pay(other);
    vendors.kraken.mood = 'well';
    await settleLate(other);
    expect(await stateOf(other)).toEqual(['not_sent', null]);
    expect((await stateOf(request))[0]).toBe('unknown');
  });
});

describe('a payout that Kraken names in its answer', () => {
  it.each(['takes-and-warns', 'takes-and-complains'] as const)(
    'is sent, whatever else the response says (%s)',
    async (mood) => {
      const { pay, sent } = await holder();
      const request = payout();
      vendors.kraken.mood = mood;
      expect((await pay(request)).status).toBe('pending');
      expect((await pay(request)).status).toBe('pending');
      expect(sent()).toHaveLength(1);
      expect(await stateOf(request)).toEqual(['sent', sent()[0]!.id]);
    },
  );

  it('by something that is no name is not refused, but looked for', async () => {
    const { pay, sent } = await holder();
    const request = payout();
    vendors.kraken.mood = 'takes-and-numbers';
    expect((await pay(request)).status).toBe('unknown');
    vendors.kraken.mood = 'well';
    expect((await pay(request)).status).toBe('Pending');
    expect(sent()).toHaveLength(1);
  });

  it('is looked up although it left nothing of its currency to list', async () => {
    const { pay, sent } = await holder();
    const request = payout();
    vendors.kraken.mood = 'takes-and-numbers';
    expect((await pay(request)).status).toBe('unknown');
    Object.assign(vendors.kraken, { mood: 'well', instead: { BalanceEx: { ZUSD: { balance: '10.0' } } } });
    expect((await pay(request)).status).toBe('Pending');
    expect((await pay(payout(), 422)).code).toBe('invalid_transfer_currency');
    expect(sent()).toHaveLength(1);
  });

  it('is sent if the exchange only warns, and refused if it also refuses', async () => {
    const { pay, sent } = await holder();
    vendors.kraken.remarks = ['WGeneral:Old version'];
    const first = payout(0.3);
    expect((await pay(first)).status).toBe('pending');
    expect(sent()).toHaveLength(1);
    vendors.kraken.mood = 'no-funds';
    expect((await pay(payout(0.4), 422)).code).toBe('invalid_transfer_funds');
  });
});

describe('an address that several ways lead to at Kraken', () => {
  const way = (method: string, key: string) => ({ address: TWICE, asset: 'XETH', method, key, verified: true });
  const TWICE = '0xde709f2102306220921060314715629080e2fb77';

  it('is paid over the named network, never over a guessed one', async () => {
    const { pay, sent } = await holder();
    vendors.kraken.alsoTo = [way('Ethereum (Polygon)', 'polygon'), way('Ether', 'mainnet')];
    const request = { ...payout(), to: TWICE };
    expect((await pay(request, 422)).code).toBe('invalid_transfer_network');
    expect(await stateOf(request)).toEqual(['refused', null]);
    await pay({ ...payout(), to: TWICE, network: 'ethereum' });
    await pay({ ...payout(), to: TWICE, network: 'polygon' });
    expect(vendors.kraken.ways.slice(-2)).toEqual(['mainnet', 'polygon']);
    vendors.kraken.alsoTo.push(way('ETH - Ethereum (Unified)', 'unified'));
    const unclear = { ...payout(), to: TWICE, network: 'ethereum' };
    expect((await pay(unclear, 422)).code).toBe('invalid_transfer_network');
    expect(sent()).toHaveLength(2);
  });

  it('may have two names for one network', async () => {
    const { pay, sent } = await holder();
    vendors.kraken.alsoTo = [way('Ether', 'mine'), way('Ether', 'also mine')];
    await pay({ ...payout(), to: TWICE });
    expect(sent()).toHaveLength(1);
  });

  it('is not paid if only a memo tells its recipients apart, and paid if they are one', async () => {
    const { pay, sent } = await holder();
    vendors.kraken.alsoTo = [
      { ...way('Ether', 'mine'), tag: '1001' },
      { ...way('Ether', 'a friend'), tag: '1002' },
    ];
    expect((await pay({ ...payout(), to: TWICE }, 422)).code).toBe('invalid_transfer_network');
    vendors.kraken.alsoTo[1]!.tag = '1001';
    await pay({ ...payout(), to: TWICE });
    expect(sent()).toHaveLength(1);
  });

  it('is known in any letter case, and named to the exchange as the person has registered it', async () => {
    const { pay, sent } = await holder();
    await pay({ ...payout(), to: KRAKEN_ADDRESS.toLowerCase() });
    expect(sent()).toMatchObject([{ to: KRAKEN_ADDRESS }]);
  });

  it('is refused with an invalid network name', async () => {
    const { pay, sent } = await holder();
    const request = { ...payout(), network: '(' };
    expect((await pay(request, 422)).code).toBe('invalid_transfer_network');
    expect(sent()).toHaveLength(0);
  });
});
