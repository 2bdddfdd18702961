import { describe, expect, it } from '@jest/globals';
import type { Config } from '../../config/index.js';
import type { VendorClient, VendorQuestion } from '../sources/vendor-client.js';
import { VendorUnavailableError } from '../sources/vendor-unavailable.error.js';
import { BlockaidTransactions, joinedValidation } from './transaction-scanner.js';

const call = (to: `0x${string}`) => ({ from: '0x01', to, value: 255n, data: '0x' }) as never;

function scanner(answers: Readonly<Record<string, unknown>>, key: string | null = 'key') {
  const asked: VendorQuestion[] = [];
  const json = async (question: VendorQuestion, read: (value: unknown) => unknown) => {
    asked.push(question);
    const { data } = JSON.parse(question.body!) as { data: { to: string } };
    if (!(data.to in answers)) throw new VendorUnavailableError('blockaid', 'timeout');
    return read(answers[data.to]);
  };
  const settings = { BLOCKAID_API_KEY: key, PROVIDER_ADDRESSES: {} } as Record<string, unknown>;
  const config = { get: (name: string) => settings[name] } as unknown as Config;
  return { asked, judge: new BlockaidTransactions(config, { json } as unknown as VendorClient) };
}
const verdict = (type: string, reason = '') => ({ validation: { status: 'Success', result_type: type, reason } });

describe('the scanner of transactions', () => {
  it('is asked about the call as the vendor documents it', async () => {
    const { asked, judge } = scanner({ '0xa': verdict('Benign') });
    expect(await judge.judge(8453, [call('0xa')])).toEqual({ result: 'Benign', reason: 'vendor' });
    expect(asked[0]).toMatchObject({ urls: ['https://api.blockaid.io/v0/evm/transaction/scan'], method: 'POST' });
    expect(JSON.parse(asked[0]!.body!)).toMatchObject({
      chain: 'base',
      account_address: '0x01',
      data: { value: '0xff' },
    });
  });

  it('answers the worst of several calls, and asks about five at most', async () => {
    const { asked, judge } = scanner({ '0xa': verdict('Benign'), '0xb': verdict('Malicious', 'known_drainer') });
    const calls = [call('0xa'), call('0xb'), ...Array.from({ length: 9 }, () => call('0xa'))];
    expect(await judge.judge(1, calls)).toEqual({ result: 'Malicious', reason: 'known_drainer' });
    expect(asked).toHaveLength(5);
  });

  it('knows nothing without a key, of other networks, and says when it cannot be asked or answers nonsense', async () => {
    expect(await scanner({}, null).judge.judge(1, [call('0xa')])).toBeNull();
    expect(await scanner({}).judge.judge(424242, [call('0xa')])).toBeNull();
    const failed = { validation: { status: 'Error', result_type: 'Benign' } };
    for (const answers of [{}, { '0xa': failed }, { '0xa': { validation: { result_type: 'Fine' } } }, { '0xa': null }])
      expect(await scanner(answers).judge.judge(1, [call('0xa')])).toMatchObject({
        result: null,
        reason: 'scanner_unavailable',
      });
  });

  it('takes nothing away from what the chain says', () => {
    const [nothing, fails] = [
      { result: null, reason: '' },
      { result: 'Error' as const, reason: 'transaction_fails' },
    ];
    const warned = { result: 'Warning' as const, reason: 'unlimited_approval' };
    const malicious = { result: 'Malicious' as const, reason: 'known_drainer' };
    const benign = { result: 'Benign' as const, reason: 'vendor' };
    const away = { result: null, reason: 'scanner_unavailable' };
    expect(joinedValidation(nothing, null)).toBe(nothing);
    expect(joinedValidation(nothing, benign)).toBe(benign);
    expect(joinedValidation(nothing, away)).toBe(away);
    expect(joinedValidation(warned, benign)).toBe(warned);
    expect(joinedValidation(warned, away)).toBe(warned);
    expect(joinedValidation(fails, malicious)).toBe(malicious);
  });
});
