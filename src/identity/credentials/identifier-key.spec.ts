import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../common/errors/index.js';
import { identifierKeyOf, type Identifier, type IdentifierKey } from './identifier-key.js';

type Known = Identifier & { kind: IdentifierKey['kind'] };

describe('an identifier', () => {
  it.each<[Known, Known]>([
    [
      { kind: 'email', value: 'Ana@Bücher.example' },
      { kind: 'email', value: 'ana@xn--bcher-kva.example' },
    ],
    [
      { kind: 'phoneNumber', value: '+41 44 668 18 00' },
      { kind: 'phoneNumber', value: '044 668 18 00', country: { isoCountryCode: 'CH' } },
    ],
    [
      { kind: 'socialUsername', value: '@Ana', provider: 'twitter' },
      { kind: 'socialUsername', value: 'ana', provider: 'twitter' },
    ],
  ])('%j is the same as %j', (one, other) => {
    expect(identifierKeyOf(one).identifier).toBe(identifierKeyOf(other).identifier);
  });

  it.each<[Known, Known]>([
    [
      { kind: 'socialAccountId', value: '7', provider: 'google' },
      { kind: 'socialAccountId', value: '7', provider: 'github' },
    ],
    [
      { kind: 'externalUserId', value: 'A' },
      { kind: 'externalUserId', value: 'a' },
    ],
    [
      { kind: 'socialAccountId', value: 'ana', provider: 'twitter' },
      { kind: 'socialUsername', value: 'ana', provider: 'twitter' },
    ],
  ])('%j is not %j', (one, other) => {
    const [a, b] = [identifierKeyOf(one), identifierKeyOf(other)];
    expect([a.kind, a.identifier]).not.toEqual([b.kind, b.identifier]);
  });

  it('that is a name at a provider is never proof', () => {
    expect(identifierKeyOf({ kind: 'socialUsername', value: 'ana', provider: 'twitter' }).canBeProven).toBe(false);
    expect(identifierKeyOf({ kind: 'socialAccountId', value: '7', provider: 'twitter' }).canBeProven).toBe(true);
  });

  it.each<[Known, string]>([
    [{ kind: 'email', value: 'ana' }, 'invalid_email'],
    [{ kind: 'phoneNumber', value: '12' }, 'invalid_phone'],
    [{ kind: 'phoneNumber', value: '044 668 18 00' }, 'invalid_phone'],
    [{ kind: 'externalUserId', value: '' }, 'invalid_user'],
    [{ kind: 'socialAccountId', value: '7' }, 'invalid_user'],
    [{ kind: 'socialUsername', value: '', provider: 'twitter' }, 'invalid_user'],
  ])('%j is refused with %s', (identifier, code) => {
    expect(() => identifierKeyOf(identifier)).toThrow(ApiError);
    expect(() => identifierKeyOf(identifier)).toThrow(expect.objectContaining({ code, status: 422 }));
  });
});
