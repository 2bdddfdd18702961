import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { codeHmac, destinationHash, newCode, sameHmac } from './one-time-code.js';

const PEPPER = Buffer.alloc(32, 7);
const CONTEXT = { environmentId: 'e1', purpose: 'email-code', verificationId: 'v1' } as const;

describe('a one-time code', () => {
  it('is six digits, leading zeros kept', () => {
    const codes = Array.from({ length: 5_000 }, newCode);
    for (const code of codes) expect(code).toMatch(/^[0-9]{6}$/);
    expect(codes.some((code) => code.startsWith('0'))).toBe(true);
    expect(new Set(codes).size).toBeGreaterThan(4_900);
  });

  it('is stored as an HMAC over environment, purpose, verification and code', () => {
    const expected = createHmac('sha256', PEPPER).update('e1|email-code|v1|012345').digest();
    expect(codeHmac(PEPPER, CONTEXT, '012345')).toEqual(expected);
  });

  it.each([
    ['environment', codeHmac(PEPPER, { ...CONTEXT, environmentId: 'e2' }, '012345')],
    ['channel', codeHmac(PEPPER, { ...CONTEXT, purpose: 'sms-code' }, '012345')],
    ['verification', codeHmac(PEPPER, { ...CONTEXT, verificationId: 'v2' }, '012345')],
    ['pepper', codeHmac(Buffer.alloc(32, 8), CONTEXT, '012345')],
    ['code', codeHmac(PEPPER, CONTEXT, '012346')],
  ])('of another %s does not fit', (_name, other) => {
    expect(sameHmac(codeHmac(PEPPER, CONTEXT, '012345'), other)).toBe(false);
  });

  it('fits itself, and nothing shorter', () => {
    const hmac = codeHmac(PEPPER, CONTEXT, '012345');
    expect(sameHmac(hmac, codeHmac(PEPPER, CONTEXT, '012345'))).toBe(true);
    expect(sameHmac(hmac, hmac.subarray(0, 31))).toBe(false);
    expect(sameHmac(hmac, Buffer.alloc(0))).toBe(false);
  });
});

describe('the counter of an address', () => {
  it('names neither the address nor the same address in another environment', () => {
    const hash = destinationHash(PEPPER, 'e1', 'ada@example.com');
    expect(hash).toHaveLength(32);
    expect(hash.toString('latin1')).not.toContain('ada');
    expect(destinationHash(PEPPER, 'e2', 'ada@example.com')).not.toEqual(hash);
  });
});
