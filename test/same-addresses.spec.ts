import { describe, expect, it } from '@jest/globals';
import { CHAIN_NAMESPACES, type Chain } from '../src/identity/vocabulary/chains.js';
import { SPELLED_ADDRESSES } from './support/spelled-addresses.js';
import { addressKey } from '../src/access-control/screening/address-key.js';
import { readEntry, walletKeys } from '../src/access-control/allowlists/entry-keys.js';
import { identifierKeyOf } from '../src/identity/credentials/identifier-key.js';
import { normalAddress as policyAddress } from '../src/wallets/policies/parse-policy-rule.js';
import { normalAddress, spellingsOf, spellingsOnAnyChain } from '../src/common/addresses/normal-address.js';

const CASES = Object.entries(SPELLED_ADDRESSES) as [Chain, [string[], string[]]][];

const keysOf = (walletPublicKey: string): string[] => (readEntry({ walletPublicKey }) as { keys: string[] }).keys;

describe.each(CASES)('addresses of %s', (chain, [equal, others]) => {
  const namespace = CHAIN_NAMESPACES[chain];
  const pairs = equal.flatMap((one) => equal.map((two): [string, string] => [one, two]));

  it('have one normal form, which is its own, and others have others', () => {
    const [normal, ...more] = new Set(equal.map((one) => normalAddress(namespace, one)));
    expect(more).toEqual([]);
    expect(normalAddress(namespace, normal!)).toBe(normal);
    for (const other of others) expect(normalAddress(namespace, other)).not.toBe(normal);
  });

  it('are found by statements in whatever spelling they are stored, and so by what follows the statements', () => {
    for (const [asked, stored] of pairs) {
      // As SQL does it: the stored text, or that in lower case, is among the spellings.
      const found = [stored, stored.toLowerCase()].some((one) => spellingsOf(namespace, asked).includes(one));
      const key = identifierKeyOf({ kind: 'wallet', value: asked, chain });
      const credential = { format: 'blockchain', address: stored, chain, id: '', signInEnabled: true } as const;
      expect([asked, stored, found, key.matches(credential)]).toEqual([asked, stored, true, true]);
      expect(key.identifier).toBe(`${namespace}:${normalAddress(namespace, stored)}`);
    }
    for (const other of others) {
      const spellings = equal.flatMap((one) => spellingsOf(namespace, one));
      expect(spellings).not.toContain(other);
    }
  });

  it('are the same to allowlists and to screening, which are not told the chain', () => {
    // So short a number could be of any chain.
    const known = chain === 'FLOW' ? equal.filter((one) => one.length === 18) : equal;
    expect(new Set(known.map(addressKey)).size).toBe(1);
    for (const [entry, held] of pairs.filter((pair) => pair.every((one) => known.includes(one)))) {
      expect(walletKeys(held)).toEqual(expect.arrayContaining(keysOf(entry)));
    }
    for (const other of others) expect(addressKey(other)).not.toBe(addressKey(equal[0]!));
  });

  it('are the same to signing policies, and texts that are no address are refused', () => {
    if (!['EVM', 'SOL', 'SUI', 'BTC', 'TON'].includes(chain)) return expect.assertions(0);
    const signing = chain as 'EVM' | 'SOL' | 'SUI' | 'BTC' | 'TON';
    const shown = equal.filter((one) => !one.startsWith('0X'));
    expect(new Set(shown.map((one) => policyAddress(signing, one))).size).toBe(1);
    expect(policyAddress(signing, shown[0]!)).not.toBeNull();
    for (const other of others) expect(policyAddress(signing, other)).not.toBe(policyAddress(signing, shown[0]!));
  });
});

it('leaves text that is no address as it is', () => {
  for (const text of ['', '0x', 'nobody', '0xZZ', `0x${'f'.repeat(65)}`]) {
    for (const namespace of ['solana', 'sui', 'ton', 'bip122', 'flow', 'unknown']) {
      expect(normalAddress(namespace, text)).toBe(text);
    }
    expect(spellingsOnAnyChain(text)).toEqual([text]);
  }
});
