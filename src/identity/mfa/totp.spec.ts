import { describe, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import { newRecoveryCodes, recoveryHash } from './recovery-code.js';
import { newTotpSecret, stepOf, totpUri } from './totp.js';

/** RFC 6238 appendix B, the last six of its eight digits; the secret is the text 12345678901234567890. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const VECTORS = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
] as const;

describe('a code of a device', () => {
  it.each(VECTORS)('is that of RFC 6238 at %i', (at, code) => {
    expect(stepOf(RFC_SECRET, code, at, 0)).toBe(Math.floor(at / 30));
  });

  it('is good one step before and after its own, and not beyond', () => {
    const step = 41_152_263;
    const code = generateSync({ secret: RFC_SECRET, epoch: step * 30 });
    const at = (seconds: number) => stepOf(RFC_SECRET, code, step * 30 + seconds, 0);
    expect([at(-31), at(-30), at(-1), at(0), at(29), at(30), at(59), at(60)]).toEqual([
      null,
      step,
      step,
      step,
      step,
      step,
      step,
      null,
    ]);
  });

  it('is refused when its step was used, or a later one', () => {
    const step = 41_152_263;
    const code = generateSync({ secret: RFC_SECRET, epoch: step * 30 });
    const after = (last: number) => stepOf(RFC_SECRET, code, step * 30, last);
    expect([after(step - 1), after(step), after(step + 1), after(step + 50)]).toEqual([step, null, null, null]);
  });

  it.each(['', '12345', '1234567', 'abcdef', '１２３４５６', ' 287082', '287082\n'])(
    'is six digits, not %j',
    (code) => {
      expect(stepOf(RFC_SECRET, code, 59, 0)).toBeNull();
    },
  );
});

describe('a secret', () => {
  it('has 160 bits, and a picture that every authenticator reads', () => {
    const secret = newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(secret);
    const uri = new URL(totpUri(secret, { issuer: 'Ann & Co', label: 'ann@example.com' }));
    expect(uri.protocol).toBe('otpauth:');
    expect(uri.searchParams.get('secret')).toBe(secret);
    expect(uri.searchParams.get('issuer')).toBe('Ann & Co');
  });
});

describe('recovery codes', () => {
  it('are ten of 120 bits, all different', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{24}$/);
  });

  it('are read as people write them', () => {
    const [code] = newRecoveryCodes() as [string];
    expect(recoveryHash(` ${code.toLowerCase().replace(/(.{4})/g, '$1-')} `)).toEqual(recoveryHash(code));
  });
});
