import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Clock } from '../../common/clock.js';
import { DevelopmentIdentity } from './development-identity.js';

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const BACK = 'http://localhost:3000/api/v0/sdk/e/providers/github/redirect';

function identity() {
  let now = 0;
  const provider = new DevelopmentIdentity({ timestamp: () => now } as Partial<Clock> as Clock);
  return { provider, later: (ms: number) => void (now += ms) };
}

const form = (code: string | null, more: Record<string, string> = {}): URLSearchParams =>
  new URLSearchParams({ code: code ?? '', redirect_uri: BACK, code_verifier: VERIFIER, ...more });

describe('the provider of identities of development', () => {
  it('knows whoever types a name, and the same name as the same account', () => {
    const { provider } = identity();
    const accounts = ['Ada Lovelace', ' ada lovelace ', 'Grace'].map((name) =>
      provider.accountOf(provider.redeem(form(provider.grant(name, BACK, CHALLENGE)))!),
    );
    expect(accounts[0]).toEqual({ id: expect.any(Number), login: 'ada-lovelace', name: 'Ada Lovelace' });
    expect(accounts[1]!.id).toBe(accounts[0]!.id);
    expect(accounts[2]!.id).not.toBe(accounts[0]!.id);
    expect(Number.isSafeInteger(accounts[0]!.id)).toBe(true);
  });

  it('takes a code once', () => {
    const { provider } = identity();
    const code = provider.grant('Ada', BACK, CHALLENGE);
    expect(provider.redeem(form(code))).not.toBeNull();
    expect(provider.redeem(form(code))).toBeNull();
  });

  it.each<[string, Record<string, string>]>([
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['another address', { redirect_uri: 'http://localhost:3000/elsewhere' }],
    ['another code', { code: 'code' }],
  ])('gives nothing for %s', (_, more) => {
    const { provider } = identity();
    expect(provider.redeem(form(provider.grant('Ada', BACK, CHALLENGE), more))).toBeNull();
  });

  it('gives nothing after a minute', () => {
    const { provider, later } = identity();
    const code = provider.grant('Ada', BACK, CHALLENGE);
    later(60_001);
    expect(provider.redeem(form(code))).toBeNull();
  });

  it.each(['', '   ', 'a'.repeat(101)])('does not know %p', (name) => {
    expect(identity().provider.grant(name, BACK, CHALLENGE)).toBeNull();
  });

  it('knows nobody by a token that it did not give', () => {
    expect(identity().provider.accountOf('token')).toBeNull();
  });
});
