import { describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  attemptCookie,
  browserVerifier,
  challengeOf,
  handedCode,
  isChallenge,
  isState,
  newBrowserKey,
  nonceOf,
  readAttemptCookie,
} from './oauth-binding.js';

const ENVIRONMENT = '0192a2b4-0000-7000-8000-000000000001';
const pairOf = (cookie: string): string => cookie.split(';')[0]!;

describe('what binds an attempt', () => {
  it('makes challenges as RFC 7636 appendix B does', () => {
    expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    );
  });

  it('makes verifiers, nonces and codes that fit the protocols and differ for every attempt and browser', () => {
    const [key, other, state, later] = [newBrowserKey(), newBrowserKey(), newBrowserKey(), newBrowserKey()];
    const made = [
      browserVerifier(key, state),
      browserVerifier(other, state),
      browserVerifier(key, later),
      nonceOf(state),
      nonceOf(later),
      handedCode(state, 'answer'),
      handedCode(later, 'answer'),
      handedCode(state, 'another'),
    ];
    expect(new Set([key, other, state, later, ...made]).size).toBe(12);
    for (const text of made) expect(text).toMatch(/^[\w-]{43}$/);
  });

  it('is read from one cookie of the environment, and from nothing else', () => {
    const attempt = { key: newBrowserKey(), state: newBrowserKey() };
    const pair = pairOf(attemptCookie(ENVIRONMENT, attempt));
    expect(readAttemptCookie(`a=b; ${pair}`, ENVIRONMENT)).toEqual(attempt);
    const wrong = [
      undefined,
      '',
      `${pair}; ${pair}`,
      pairOf(attemptCookie(ENVIRONMENT.replace('1', '2'), attempt)),
      pair.slice(0, -1).replace(attempt.state.slice(0, -1), ''),
      pair.replace(attempt.key, attempt.key.slice(1)),
      pair.replace('.', '_'),
    ];
    for (const cookies of wrong) expect(readAttemptCookie(cookies, ENVIRONMENT)).toBeNull();
  });

  it('asks for 160 bits: 32 letters and digits, or 40 hexadecimal digits', () => {
    expect([31, 32, 255, 256].map((length) => isState('z'.repeat(length)))).toEqual([false, true, true, false]);
    expect(['q7WvZk2mXc9TnRb4LsYd8HgJf3PaEu6D', randomBytes(20).toString('hex')].map(isState)).toEqual([true, true]);
    expect([randomBytes(16).toString('hex'), randomUUID(), `${'z'.repeat(32)}\n`].filter(isState)).toEqual([]);
    expect(isChallenge('z'.repeat(44))).toBe(false);
  });
});
