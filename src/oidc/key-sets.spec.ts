import { beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import type { Clock } from '../common/clock.js';
import { OutboundError, type OutboundHttp } from '../outbound/index.js';
import { parseSignedToken, type SignedToken } from './signed-token.js';
import { KeySet } from './key-set.js';
import { KeySets } from './key-sets.js';

const jwk = { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }), kid: 'known' };
const URL = 'https://issuer.example/jwks';

const tokenOf = (kid: string): SignedToken => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return parseSignedToken(`${part({ alg: 'ES256', kid })}.${part({})}.AAAA`) as SignedToken;
};
const lacks =
  (kid: string) =>
  (set: KeySet): boolean =>
    set.find(tokenOf(kid)) === null;

describe('keys that another service publishes', () => {
  let now: number;
  let requests: number;
  let answer: () => Promise<{ status: number; text: string }>;
  let sets: KeySets;

  beforeEach(() => {
    now = 1_000_000;
    requests = 0;
    answer = async () => ({ status: 200, text: JSON.stringify({ keys: [jwk] }) });
    const send = async () => {
      requests++;
      const { status, text } = await answer();
      return { status, headers: {}, body: Buffer.from(text), truncated: false, durationMs: 1 };
    };
    const http = { send } as Partial<OutboundHttp> as OutboundHttp;
    sets = new KeySets(http, { timestamp: () => now } as Partial<Clock> as Clock);
  });

  it('are kept for ten minutes', async () => {
    await sets.at(URL, lacks('known'));
    now += 10 * 60_000 - 1;
    expect(await sets.at(URL, lacks('known'))).toBeInstanceOf(KeySet);
    expect(requests).toBe(1);
    now += 1;
    await sets.at(URL, lacks('known'));
    expect(requests).toBe(2);
  });

  it('are fetched again for a key that is not among them, half a minute later at the earliest', async () => {
    await sets.at(URL, lacks('new'));
    now += 29_999;
    await sets.at(URL, lacks('new'));
    expect(requests).toBe(1);
    now += 1;
    const fresh = { ...jwk, kid: 'new' };
    answer = async () => ({ status: 200, text: JSON.stringify({ keys: [jwk, fresh] }) });
    const set = (await sets.at(URL, lacks('new'))) as KeySet;
    expect([requests, set.find(tokenOf('new')) !== null]).toEqual([2, true]);
  });

  it('are those for signatures alone, and none where two would fit', () => {
    const find = (...keys: object[]) => KeySet.parse(JSON.stringify({ keys }))!.find(tokenOf('known'));
    const named = [{ use: 'sig' }, { key_ops: ['verify'] }].map((more) => find({ ...jwk, ...more }));
    expect(named).not.toContain(null);
    expect(find({ ...jwk, use: 'enc' })).toBeNull();
    expect(find({ ...jwk, key_ops: ['deriveKey'] })).toBeNull();
    expect(find(jwk, jwk)).toBeNull();
  });

  it('are asked for by one request, however many wait', async () => {
    await Promise.all(Array.from({ length: 50 }, () => sets.at(URL, lacks('known'))));
    expect(requests).toBe(1);
  });

  it('are tried again half a minute after a failure, and not before', async () => {
    answer = () => Promise.reject(new OutboundError('timeout', 'slow'));
    expect(await sets.at(URL, lacks('known'))).toBe('timeout');
    answer = async () => ({ status: 200, text: JSON.stringify({ keys: [jwk] }) });
    now += 29_999;
    expect(await sets.at(URL, lacks('known'))).toBe('timeout');
    now += 1;
    expect(await sets.at(URL, lacks('known'))).toBeInstanceOf(KeySet);
  });

  it('stay for others when a stranger names a key that is not among them while the address is away', async () => {
    await sets.at(URL, lacks('known'));
    answer = () => Promise.reject(new OutboundError('timeout', 'slow'));
    now += 30_000;
    expect(await sets.at(URL, lacks('made up'))).toBe('timeout');
    expect(await sets.at(URL, lacks('known'))).toBeInstanceOf(KeySet);
    now += 29_999;
    await sets.at(URL, lacks('made up'));
    expect(requests).toBe(2);
    now += 10 * 60_000 - 60_000;
    expect(await sets.at(URL, lacks('known'))).toBeInstanceOf(KeySet);
    now += 1;
    expect(await sets.at(URL, lacks('known'))).toBe('timeout');
  });

  it('are public: one that is published with its private part verifies nothing, and the others go on', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const given = { ...privateKey.export({ format: 'jwk' }), kid: 'given away' };
    answer = async () => ({ status: 200, text: JSON.stringify({ keys: [given, jwk] }) });
    const set = (await sets.at(URL, lacks('known'))) as KeySet;
    expect([set.find(tokenOf('given away')), set.find(tokenOf('known'))]).toEqual([null, expect.anything()]);
  });

  it('are at one address: those of another are others', async () => {
    await sets.at(URL, lacks('known'));
    await sets.at(`${URL}/2`, lacks('known'));
    expect(requests).toBe(2);
  });

  it('do not swallow faults of the service itself', async () => {
    answer = () => Promise.reject(new TypeError('a mistake'));
    await expect(sets.at(URL, lacks('known'))).rejects.toThrow('a mistake');
  });
});
