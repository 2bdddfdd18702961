import { describe, expect, it } from '@jest/globals';
import { checkVendors, seenVendors } from './vendors.js';

const endpoints = [
  { vendor: 'ecb', url: 'https://ecb.example/', isChosen: false },
  { vendor: 'history-indexer', url: 'https://indexer.example/?apikey=secret', isChosen: true },
];
const NOBODY = new Map();

describe('the check of vendors of chain data', () => {
  it('says how each answers and what quota is left', async () => {
    const reach = async () => ({ status: 200, durationMs: 12.4, quotaLeft: '41' });
    expect(await checkVendors(endpoints, reach, NOBODY)).toEqual({
      state: 'ok',
      meaning:
        'ecb responds with 200 in 12 ms, 41 calls left; history-indexer responds with 200 in 12 ms, 41 calls left',
    });
  });

  it('says what the running service has seen: when one answered last, and the quota', async () => {
    const figures = [
      '# TYPE gatehouse_vendor_last_answer_seconds gauge',
      'gatehouse_vendor_last_answer_seconds{vendor="ecb"} 1700000000',
      'gatehouse_vendor_last_answer_seconds{vendor="history-indexer"} 0',
      'gatehouse_vendor_quota_left{vendor="history-indexer"} 7',
      'gatehouse_vendor_answers_total{vendor="ecb"} 12',
    ].join('\n');
    const seen = seenVendors(figures, 1_700_000_090.4);
    expect(seen).toEqual(
      new Map([
        ['ecb', { ageSeconds: 90, quotaLeft: null }],
        ['history-indexer', { ageSeconds: null, quotaLeft: 7 }],
      ]),
    );
    const { meaning } = await checkVendors(
      endpoints,
      async () => ({ status: 200, durationMs: 1, quotaLeft: null }),
      seen,
    );
    expect(meaning).toBe(
      'ecb responds with 200 in 1 ms, last responded to the service 90 s ago; history-indexer responds with 200 in 1 ms, 7 calls left',
    );
  });

  it('warns of those that do not, without a word of their keys', async () => {
    const reach = async (url: string) =>
      url.includes('secret') ? 'timeout' : { status: 429, durationMs: 1, quotaLeft: null };
    const finding = await checkVendors(endpoints, reach, NOBODY);
    expect(finding).toMatchObject({
      state: 'warn',
      meaning: 'ecb responds with 429 in 1 ms; history-indexer does not respond (timeout)',
    });
  });

  it('finds nothing wrong with defaults that a development machine does not reach, and does not say they were asked for', async () => {
    const ecb = endpoints.slice(0, 1);
    expect(await checkVendors(ecb, async () => 'dns', NOBODY)).toEqual({
      state: 'ok',
      meaning: 'defaults that this machine does not reach: ecb (dns)',
    });
    const seen = new Map([['ecb', { ageSeconds: 9, quotaLeft: null }]]);
    expect(await checkVendors(ecb, async () => 'dns', seen)).toMatchObject({
      meaning: 'defaults that this machine does not reach: ecb (dns, last responded to the service 9 s ago)',
    });
    const none = { vendor: 'history-indexer', url: null, isChosen: false };
    expect(await checkVendors([none], async () => 'dns', NOBODY)).toEqual({
      state: 'ok',
      meaning: 'history-indexer is not configured',
    });
  });

  it('warns in production of defaults that it does not reach, but not of what is not configured', async () => {
    const none = { vendor: 'history-indexer', url: null, isChosen: false };
    expect(await checkVendors([endpoints[0]!, none], async () => 'dns', NOBODY, true)).toMatchObject({
      state: 'warn',
      meaning: 'ecb does not respond (dns); history-indexer is not configured',
    });
    expect(await checkVendors([none], async () => 'dns', NOBODY, true)).toMatchObject({ state: 'ok' });
  });
});
