import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../common/errors/index.js';
import type { Chain } from '../vocabulary/chains.js';
import { identifierKeyOf, type Identifier, type IdentifierKey } from './identifier-key.js';

type Known = Identifier & { kind: IdentifierKey['kind'] };

const HEX = `0x${'ab'.repeat(32)}`;
const WALLETS_IN_ANY_CASE: [Chain, string][] = [
  ['EVM', HEX.slice(0, 42)],
  ['SUI', HEX],
  ['APTOS', HEX],
  ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['COSMOS', 'cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu'],
];

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
    ...WALLETS_IN_ANY_CASE.map(([chain, address]): [Known, Known] => [
      { kind: 'wallet', value: `${address.slice(0, 2)}${address.slice(2).toUpperCase()}`, chain },
      { kind: 'wallet', value: address, chain },
    ]),
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
    [
      { kind: 'wallet', value: 'So11111111111111111111111111111111111111112', chain: 'SOL' },
      { kind: 'wallet', value: 'so11111111111111111111111111111111111111112', chain: 'SOL' },
    ],
  ])('%j is not %j', (one, other) => {
    const [a, b] = [identifierKeyOf(one), identifierKeyOf(other)];
    expect([a.kind, a.identifier]).not.toEqual([b.kind, b.identifier]);
  });

  it.each(WALLETS_IN_ANY_CASE)('of a wallet of %s is a credential in any case', (chain, address) => {
    const key = identifierKeyOf({ kind: 'wallet', value: address, chain });
    for (const stored of [address, `${address.slice(0, 2)}${address.slice(2).toUpperCase()}`, address.toUpperCase()]) {
      const credential = { id: '', format: 'blockchain', signInEnabled: false, chain, address: stored } as const;
      expect([stored, key.matches(credential)]).toEqual([stored, true]);
    }
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
