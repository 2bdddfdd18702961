import { describe, expect, it } from '@jest/globals';
import { parseAbi } from 'viem';
import { parsePolicyRule } from './parse-policy-rule.js';
import type { WaasPolicyRule } from './policy.dto.js';
import { assertNotMistyped, hasChecksum } from './mistyped-rules.js';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const MISTYPED = ADDRESS.replace('C8', 'c8');

/** The last letter but one is another of the same alphabet. */
const mistyped = (text: string): string => `${text.slice(0, -2)}${text.at(-2) === 'q' ? 'p' : 'q'}${text.at(-1)}`;

describe('an address of Bitcoin', () => {
  const receivers = [
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
  ];

  it.each(receivers)('has the checksum of what it says: %s', (address) => {
    expect(hasChecksum('BTC', address)).toBe(true);
    expect(hasChecksum('BTC', mistyped(address))).toBe(false);
  });

  it('may be in capitals where its checksum is of small letters, and is not in both', () => {
    const [segwit, , , legacy] = receivers as [string, string, string, string];
    expect(hasChecksum('BTC', segwit.toUpperCase())).toBe(true);
    expect(hasChecksum('BTC', `BC1${segwit.slice(3)}`)).toBe(false);
    expect(hasChecksum('BTC', legacy.toUpperCase())).toBe(false);
  });

  it.each<[string, string]>([
    ['of a later version', 'bc1sw50qgdz25j'],
    ['of version 1 with the checksum of version 0', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
    ['of the test network', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
    ['of the test network, in base58', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
    ['that is too short', '1'],
    ['that is empty', ''],
  ])('%s is no receiver', (_, address) => {
    expect(hasChecksum('BTC', address)).toBe(false);
  });
});

describe('a new rule', () => {
  const abi = parseAbi(['function transfer(address to, uint256 amount)']) as unknown as Record<string, unknown>[];
  const isWritten = (part: Partial<WaasPolicyRule>): boolean => {
    const rule: WaasPolicyRule = { name: 'r', ruleType: 'allow', chain: 'EVM', ...part };
    const parsed = parsePolicyRule(rule, '0');
    try {
      assertNotMistyped(rule, parsed);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_policy_rule' });
      return false;
    }
  };

  it.each<[string, (address: string) => Partial<WaasPolicyRule>]>([
    ['as its address', (address) => ({ address })],
    ['among its addresses', (address) => ({ addresses: [ADDRESS, address] })],
    ['as its token', (asset) => ({ valueLimit: { asset, maxPerCall: '1' } })],
    [
      'as an argument',
      (value) => ({
        ...{ contractAbi: abi, functionName: 'transfer' },
        argumentConstraints: [{ index: 0, operator: 'equal', value }],
      }),
    ],
  ])('has no mistyped address on EVM %s, and needs no checksum', (_, of) => {
    expect(isWritten(of(ADDRESS))).toBe(true);
    expect(isWritten(of(ADDRESS.toLowerCase()))).toBe(true);
    expect(isWritten(of(`0x${ADDRESS.slice(2).toUpperCase()}`))).toBe(true);
    expect(isWritten(of(MISTYPED))).toBe(false);
  });

  it('has no mistyped address on Bitcoin, while one of before still parses', () => {
    const addresses = [mistyped('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')];
    expect(isWritten({ chain: 'BTC', addresses })).toBe(false);
    expect(parsePolicyRule({ name: 'r', ruleType: 'deny', chain: 'BTC', addresses }, '0').addresses).toEqual(
      new Set(addresses),
    );
  });

  it('names without an ABI what typed data can be of, while others of before still parse', () => {
    const names = ['Permit', 'PermitWitnessTransferFrom', 'HyperliquidTransaction:UsdSend'];
    for (const functionName of names) expect(isWritten({ functionName })).toBe(true);
    for (const functionName of ['', ' Permit', 'transfer(address,uint256)', '0xa9059cbb', 'address']) {
      expect(isWritten({ functionName })).toBe(false);
      expect(parsePolicyRule({ name: 'r', ruleType: 'deny', chain: 'EVM', functionName }, '0')).toMatchObject({
        primaryType: functionName,
      });
    }
    expect(isWritten({ contractAbi: abi, functionName: 'transfer' })).toBe(true);
  });

  it('names a token or none, while one of before with an empty name is of the native coin', () => {
    const valueLimit = { asset: '', maxPerCall: '1' };
    for (const chain of ['EVM', 'SVM', 'SUI', 'BTC', 'TON'] as const) {
      expect([chain, isWritten({ chain, valueLimit })]).toEqual([chain, false]);
      expect(parsePolicyRule({ name: 'r', ruleType: 'allow', chain, valueLimit }, '0').limit?.asset).toBeNull();
    }
  });

  it('has what else there is: values of other types, addresses of chains without checksums', () => {
    const value = { index: 1, operator: 'lessEqual', value: '5' } as const;
    expect(isWritten({ contractAbi: abi, functionName: 'transfer', argumentConstraints: [value] })).toBe(true);
    expect(isWritten({ chain: 'SUI', addresses: ['0x2'] })).toBe(true);
    expect(isWritten({ valueLimit: { asset: null, maxPerCall: '1' } })).toBe(true);
  });
});
