import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/common/clock.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { RATE_ANSWERS, rateAddresses } from '../support/rate-vendors.js';
import { VendorServer } from '../support/vendor-server.js';
import { World } from '../support/world.js';

interface Currency {
  code: string;
  name: string;
  type: string;
  value: number;
  source: string;
  asOf: string;
  isStale: boolean;
}

let vendors: VendorServer;
let test: TestApp;
let world: World;

beforeAll(async () => {
  vendors = await VendorServer.start(RATE_ANSWERS);
});
afterAll(() => vendors.close());
beforeEach(async () => {
  vendors.forget();
});

/** A service that has asked nobody yet, whose clock can be moved. */
async function started(): Promise<{ ahead: (ms: number) => void; close: () => Promise<void> }> {
  const PROVIDER_ADDRESSES = JSON.stringify(rateAddresses(vendors.origin));
  test = await startTestApp({ env: { ROLE: 'api', PROVIDER_ADDRESSES } });
  world = await World.create(test);
  const clock = test.app.get(Clock);
  const real = clock.timestamp.bind(clock);
  let offset = 0;
  clock.timestamp = () => real() + offset;
  return { ahead: (ms) => (offset += ms), close: () => test.close() };
}

const list = async () => (await world.anonymous.get<Currency[]>('/exchangeRates', { expect: 200 })).body;
const of = (rates: Currency[], code: string) => rates.find((rate) => rate.code === code);

describe('exchange rates', () => {
  it('come from each source what it alone knows, with source, date and the value of one dollar', async () => {
    const service = await started();
    const rates = await list();
    expect(of(rates, 'EUR')).toMatchObject({
      type: 'fiat',
      name: 'Euro',
      value: 0.8,
      source: 'coinbase',
      isStale: false,
    });
    expect(of(rates, 'ETH')).toMatchObject({ type: 'crypto', name: 'Ether', value: 0.0005, source: 'coinbase' });
    expect(of(rates, 'CHF')).toMatchObject({ type: 'fiat', value: 0.9, source: 'coingecko' });
    expect(of(rates, 'SEK')).toMatchObject({
      value: 10,
      source: 'ecb',
      asOf: '2026-11-20T15:00:00.000Z',
      isStale: true,
    });
    expect(of(rates, 'XAU')).toBeUndefined();
    const ofClients = await world.anonymous.get<Currency[]>(world.sdk('/exchangeRates'), { expect: 200 });
    expect(ofClients.body).toEqual(rates);
    await service.close();
  });

  it('are asked for once by a hundred at once, and not again within a minute', async () => {
    const service = await started();
    await Promise.all(Array.from({ length: 100 }, list));
    expect(['coinbase', 'coingecko', 'ecb'].map((name) => vendors.count(name))).toEqual([1, 1, 1]);
    await list();
    expect(vendors.calls).toHaveLength(3);
    service.ahead(61_000);
    await list();
    expect(vendors.calls).toHaveLength(6);
    await service.close();
  });

  it('are marked as stale after ten minutes without a source, and never made up', async () => {
    const service = await started();
    const [before] = await list();
    for (const [name, mood] of [
      ['coinbase', 'down'],
      ['coingecko', 'garbage'],
      ['ecb', 'oversize'],
    ] as const) {
      vendors.moods.set(name, mood);
    }
    service.ahead(300_000);
    expect((await list())[0]).toEqual(before);
    service.ahead(301_000);
    expect((await list())[0]).toEqual({ ...before, isStale: true });
    await service.close();
  });

  it('are 503 while no source has ever answered', async () => {
    for (const name of ['coinbase', 'coingecko', 'ecb']) vendors.moods.set(name, 'rate-limited');
    const service = await started();
    for (const path of ['/exchangeRates', world.sdk('/exchangeRates')]) {
      const { body } = await world.anonymous.get<{ code: string }>(path, { expect: 503 });
      expect([path, body.code]).toEqual([path, 'rates_unavailable']);
    }
    await service.close();
  });
});
