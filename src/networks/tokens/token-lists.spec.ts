import { beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as everythingSettled } from 'node:timers/promises';
import { Clock } from '../../common/clock.js';
import type { Config } from '../../config/index.js';
import type { VendorClient, VendorQuestion } from '../sources/vendor-client.js';
import { TokenLists } from './token-lists.js';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const listOf = (symbol: string): string =>
  JSON.stringify({ tokens: [{ chainId: 77, address: ADDRESS, name: symbol, symbol, decimals: 6 }] });
const HOUR = 3_600_000;

class MovedClock extends Clock {
  ahead = 0;
  override timestamp(): number {
    return this.ahead;
  }
}

let answer: () => Promise<string>;
let clock: MovedClock;
let lists: TokenLists;
let asked: number;

beforeEach(() => {
  [asked, clock] = [0, new MovedClock()];
  const vendors = {
    async text<T>(_: VendorQuestion, read: (text: string) => T): Promise<T> {
      asked += 1;
      return read(await answer());
    },
  } as Partial<VendorClient> as VendorClient;
  const config = { get: () => ['https://lists.example/tokens.json'] } as unknown as Config;
  lists = new TokenLists(config, vendors, clock);
  answer = async () => listOf('ONE');
});

const symbols = async (): Promise<string[]> => (await lists.of('ETH', 77)).map(({ symbol }) => symbol);

describe('lists of tokens', () => {
  it('are read once for all who ask at once, and again after an hour', async () => {
    expect((await Promise.all(Array.from({ length: 100 }, symbols))).every(([one]) => one === 'ONE')).toBe(true);
    clock.ahead += HOUR - 1;
    await symbols();
    expect(asked).toBe(1);
    answer = async () => listOf('TWO');
    clock.ahead += 1;
    // Whoever asks first is told what was known, and has it read.
    expect(await symbols()).toEqual(['ONE']);
    await everythingSettled();
    expect([await symbols(), asked]).toEqual([['TWO'], 2]);
  });

  it('that hang, or cannot be read, are told as they were read last', async () => {
    await symbols();
    const hanging = Promise.withResolvers<string>();
    answer = () => hanging.promise;
    clock.ahead += HOUR;
    expect(await symbols()).toEqual(['ONE']);
    hanging.reject(new Error('away'));
    await everythingSettled();
    expect(await symbols()).toEqual(['ONE']);
  });

  it('that were never read leave the short list of the service', async () => {
    answer = async () => 'no list';
    expect([(await lists.of('EVM', 1)).length > 0, await symbols()]).toEqual([true, []]);
  });
});
