import { describe, expect, it } from '@jest/globals';
import { parseAbi } from 'viem';
import type { ApiError } from '../../common/errors/index.js';
import { parsePolicyRule } from './parse-policy-rule.js';
import type { WaasPolicyRule } from './policy.dto.js';

const TOKEN = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const ABI = parseAbi(['function transfer(address to, uint256 amount)']) as unknown as Record<string, unknown>[];
const base = { name: 'r', ruleType: 'allow', chain: 'EVM' } as const;

describe('a rule', () => {
  it('has one form: addresses and networks together, addresses as the chain writes them', () => {
    const rule = { ...base, address: TOKEN.toLowerCase(), addresses: [TOKEN], chainId: 1, chainIds: [10] };
    expect(parsePolicyRule(rule, 'id')).toMatchObject({ addresses: new Set([TOKEN]), chainIds: [1, 10] });
    const sui = parsePolicyRule({ ...base, chain: 'SUI', addresses: ['0x2', '0xAB'] }, 'id');
    expect(sui.addresses).toEqual(new Set(['2', 'ab'].map((digits) => `0x${digits.padStart(64, '0')}`)));
    const bitcoin = parsePolicyRule(
      { ...base, chain: 'BTC', addresses: ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'] },
      'id',
    );
    expect(bitcoin.addresses).toEqual(new Set(['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4']));
    const ton = parsePolicyRule({ ...base, chain: 'TON', addresses: [`0:${'4'.repeat(64)}`] }, 'id');
    expect(ton.addresses).toEqual(new Set(['UQBERERERERERERERERERERERERERERERERERERERERERDel']));
    expect(parsePolicyRule({ ...base, chain: 'SVM' }, 'id').chain).toBe('SOL');
  });

  it.each<[string, Partial<WaasPolicyRule>, RegExp]>([
    ['with an address of TON that is none', { chain: 'TON', addresses: ['UQAA'] }, /none of the chain/],
    [
      'with a token of TON',
      { chain: 'TON', valueLimit: { asset: `0:${'4'.repeat(64)}`, totalLimit: '1' } },
      /no token/,
    ],
    ['with an empty list', { addresses: [] }, /empty/],
    ['without a network', { chainIds: [] }, /empty/],
    ['with an address of another chain', { addresses: ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'] }, /none of the chain/],
    ['with networks where none are signed', { chain: 'SUI', chainIds: [1] }, /names its network/],
    ['with a function of another chain', { chain: 'SVM', functionName: 'x' }, /functions are not distinguished/],
    ['with an ABI for nothing', { contractAbi: ABI }, /without functionName/],
    ['with a function that the ABI lacks', { contractAbi: ABI, functionName: 'mint' }, /no function/],
    [
      'with an ABI that has an event of the name',
      { contractAbi: [{ type: 'event', name: 'transfer', inputs: [] }], functionName: 'transfer' },
      /no function/,
    ],
    ['with an amount of more digits than there are', { valueLimit: { maxPerCall: '1'.repeat(79) } }, /too large/],
    ['with a token of Sui', { chain: 'SUI', valueLimit: { asset: '0x2', maxPerCall: '1' } }, /no token/],
    ['with the network 0', { chainIds: [0] }, /from 1/],
    ['with a function without inputs', { contractAbi: [{ type: 'function', name: 'f' }], functionName: 'f' }, /inputs/],
    ['with arguments of nothing', { argumentConstraints: [{ index: 0, operator: 'equal', value: 1 }] }, /functionName/],
    [
      'with an argument that is not there',
      { contractAbi: ABI, functionName: 'transfer', argumentConstraints: [{ index: 2, operator: 'equal', value: 1 }] },
      /no argument 2/,
    ],
    [
      'with a value of another type',
      { contractAbi: ABI, functionName: 'transfer', argumentConstraints: [{ index: 0, operator: 'equal', value: 1 }] },
      /of type address/,
    ],
    [
      'that orders addresses',
      {
        contractAbi: ABI,
        functionName: 'transfer',
        argumentConstraints: [{ index: 0, operator: 'less', value: TOKEN }],
      },
      /whole numbers/,
    ],
    ['with a limit and the type deny', { ruleType: 'deny', valueLimit: { maxPerCall: '1' } }, /type allow/],
    ['with a limit of nothing', { valueLimit: {} }, /limits nothing/],
    ['with a limit of what is no token', { valueLimit: { asset: 'x', maxPerCall: '1' } }, /no token/],
    ['with restrictions and the type allow', { operationRestrictions: { blockExport: true } }, /stand alone/],
    ['that restricts nothing', { ruleType: 'deny', operationRestrictions: {} }, /restrict nothing/],
    [
      'that restricts what does not exist',
      { ruleType: 'deny', operationRestrictions: { blockRevocation: true } },
      /may take it back/,
    ],
    ['that is too large', { name: 'x'.repeat(20_000) }, /16 KB/],
  ])('%s is refused', (_, part, reason) => {
    let refusal: ApiError | null = null;
    try {
      parsePolicyRule({ ...base, ...part }, 'id');
    } catch (error) {
      refusal = error as ApiError;
    }
    expect(refusal).toMatchObject({ code: 'invalid_policy_rule' });
    expect(refusal!.details?.payload?.['reason']).toMatch(reason);
  });
});
