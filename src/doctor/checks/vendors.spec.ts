import { describe, expect, it } from '@jest/globals';
import { checkVendors } from './vendors.js';

const endpoints = [
  { vendor: 'ecb', url: 'https://ecb.example/', isChosen: false },
  { vendor: 'history-indexer', url: 'https://indexer.example/?apikey=secret', isChosen: true },
];

describe('the check of vendors of chain data', () => {
  it('says how each answers and what quota is left', async () => {
    const reach = async () => ({ status: 200, durationMs: 12.4, quotaLeft: '41' });
    expect(await checkVendors(endpoints, reach)).toEqual({
      state: 'ok',
      meaning: 'ecb answers 200 in 12 ms, 41 calls left; history-indexer answers 200 in 12 ms, 41 calls left',
    });
  });

  it('warns of those that do not, without a word of their keys', async () => {
    const finding = await checkVendors(endpoints, async (url) =>
      url.includes('secret') ? 'timeout' : { status: 429, durationMs: 1, quotaLeft: null },
    );
    expect(finding).toMatchObject({
      state: 'warn',
      meaning: 'ecb answers 429 in 1 ms; history-indexer does not answer (timeout)',
    });
  });

  it('does not warn of those that no setting names', async () => {
    const finding = await checkVendors(endpoints.slice(0, 1), async () => 'dns');
    expect(finding).toEqual({ state: 'ok', meaning: 'ecb does not answer (dns)' });
  });
});
