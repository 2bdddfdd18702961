import { describe, expect, it } from '@jest/globals';
import type { VendorClient, VendorQuestion } from '../../networks/index.js';
import type { ProviderAddresses } from '../../providers/index.js';
import { CoinbaseExchange } from './coinbase-exchange.js';

it('reads all pages of accounts within the time of one question', async () => {
  const asked: (number | undefined)[] = [];
  let deadlines = 0;
  const vendors = {
    deadline: () => (deadlines += 1_000),
    json: async <T>({ until }: VendorQuestion, read: (value: unknown) => T) => {
      const next_uri = asked.push(until) < 4 ? `/v2/accounts?after=${asked.length}` : null;
      return read({ data: [], pagination: { next_uri } });
    },
  } as Partial<VendorClient> as VendorClient;
  const addresses = { of: () => ({}) } as Partial<ProviderAddresses> as ProviderAddresses;
  const exchange = new CoinbaseExchange(vendors, addresses);
  await exchange.accounts({ credentialId: 'c', accessToken: 't' });
  expect(asked).toEqual([1_000, 1_000, 1_000, 1_000]);
});

const session = { credentialId: 'c', accessToken: 't' };
const payout = {
  ...{ id: 'p', account: 'a', recipient: '0x1', amount: '1', currency: 'ETH' },
  ...{ network: null, description: null, mfaCode: null },
};

it.each([null, {}, 'none', []])('has no currencies where %j is answered in place of a list of them', async (answer) => {
  const json = async <T>(_question: VendorQuestion, read: (value: unknown) => T) => read(answer);
  const vendors = { json } as Partial<VendorClient> as VendorClient;
  const exchange = new CoinbaseExchange(vendors, { of: () => ({}) } as Partial<ProviderAddresses> as ProviderAddresses);
  await expect(exchange.currenciesOn(session, 'ethereum')).rejects.toMatchObject({ name: 'VendorUnavailableError' });
});

it.each([
  [400, 'PayoutRefused'],
  [403, 'PayoutRefused'],
  [408, 'VendorUnavailableError'],
  [409, 'VendorUnavailableError'],
  [425, 'VendorUnavailableError'],
])('a payout that is answered with %d ends in %s: one that may have been taken stays open', async (status, name) => {
  const json = ({ refusal, body }: VendorQuestion) => {
    expect(JSON.parse(body!)).toMatchObject({ idem: 'p', to: '0x1', amount: '1' });
    return Promise.reject(refusal!(status, '{}')!);
  };
  const vendors = { deadline: () => 0, json } as Partial<VendorClient> as VendorClient;
  const exchange = new CoinbaseExchange(vendors, { of: () => ({}) } as Partial<ProviderAddresses> as ProviderAddresses);
  await expect(exchange.send(session, payout)).rejects.toMatchObject({ name });
});

describe('a transaction that moved nothing', () => {
  const listed = (status: string) => ({
    ...{ id: `one that is ${status}`, type: 'send', status, idem: 'p', created_at: '2026-01-01T00:00:00Z' },
    ...{ amount: { amount: '-1', currency: 'ETH' }, to: { address: '0x1' } },
  });
  const answering = (data: unknown): CoinbaseExchange => {
    const json = async <T>(_question: VendorQuestion, read: (value: unknown) => T) => read({ data });
    const vendors = { deadline: () => 0, json } as Partial<VendorClient> as VendorClient;
    return new CoinbaseExchange(vendors, { of: () => ({}) } as Partial<ProviderAddresses> as ProviderAddresses);
  };
  const account = { reference: 'a', id: 'a', balances: [] };
  it.each(['failed', 'canceled', 'expired'])('has failed where it is listed as %s', async (status) => {
    const [one] = await answering([listed(status)]).transactions(session, [account]);
    expect(one).toMatchObject({ status, hasFailed: true, idempotencyKey: 'p' });
  });

  it.each(['pending', 'completed', 'waiting_for_clearing'])('is none that is listed as %s', async (status) => {
    const [one] = await answering([listed(status)]).transactions(session, [account]);
    expect(one).not.toHaveProperty('hasFailed');
  });

  it('is refused where the answer to a payout says so', async () => {
    await expect(answering(listed('failed')).send(session, payout)).rejects.toMatchObject({ refusal: 'other' });
    await expect(answering(listed('pending')).send(session, payout)).resolves.toMatchObject({ status: 'pending' });
  });
});
