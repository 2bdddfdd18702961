import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeFunctionData, getAddress, parseAbi, serializeTransaction, type Hex } from 'viem';
import { effectsOf, UNKNOWN, type Effect, type SigningRequest } from '../../custody/index.js';
import { worked } from '../../../test/support/worked.js';
import { parsePolicyRule } from './parse-policy-rule.js';
import type { ConstraintOperator, WaasPolicyRule } from './policy.dto.js';
import { judge, type Judgement } from './policy-judgement.js';

const ABI = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function mint(address to, uint256 amount)',
]);
const FUNCTIONS = ['transfer', 'approve', 'mint'] as const;
const OPERATORS = ['equal', 'greater', 'less', 'greaterEqual', 'lessEqual', 'notEqual'] as const;
const ADDRESSES = [1, 2, 3].map((digit) => getAddress(`0x${String(digit).repeat(40)}`));
const ACCOUNT = { chain: 'EVM', address: ADDRESSES[0]! } as const;

type Rule = Omit<WaasPolicyRule, 'ruleId'>;

const judged = (rules: readonly Rule[], request: SigningRequest, networkId: number | null, spent = 0n): Judgement => {
  const parsed = rules.map((rule, at) => parsePolicyRule(rule, String(at)));
  const totals = new Map(parsed.map(({ ruleId }) => [ruleId, spent]));
  return judge(parsed, { chain: 'EVM', networkId, effects: effectsOf(ACCOUNT, request) }, totals);
};

/** What a transaction does, known before it has bytes. */
interface Truth {
  readonly to: Hex;
  readonly value: bigint;
  readonly chainId: number;
  readonly call: { readonly name: (typeof FUNCTIONS)[number]; readonly to: Hex; readonly amount: bigint } | null;
}

const bytesOf = ({ to, value, chainId, call }: Truth): SigningRequest => ({
  kind: 'evmTransaction',
  transaction: serializeTransaction({
    ...{ chainId, to, value, maxFeePerGas: 1n },
    ...(call && { data: encodeFunctionData({ abi: ABI, functionName: call.name, args: [call.to, call.amount] }) }),
  }),
});

const small = fc.bigInt({ min: 0n, max: 4n });
const anAddress = fc.constantFrom(...ADDRESSES);
const truths: fc.Arbitrary<Truth> = fc.record({
  to: anAddress,
  value: small,
  chainId: fc.constantFrom(1, 10),
  call: fc.option(fc.record({ name: fc.constantFrom(...FUNCTIONS), to: anAddress, amount: small }), { nil: null }),
});

const named = fc.record({
  functionName: fc.constantFrom(...FUNCTIONS),
  contractAbi: fc.constant(ABI as unknown as Record<string, unknown>[]),
});
const constraints = fc.oneof(
  fc.record({ index: fc.constant(1), operator: fc.constantFrom(...OPERATORS), value: small.map(String) }),
  fc.record({
    index: fc.constant(0),
    operator: fc.constantFrom('equal' as const, 'notEqual' as const),
    value: anAddress,
  }),
);
const rules: fc.Arbitrary<Rule> = fc
  .record({
    ruleType: fc.constantFrom('allow' as const, 'deny' as const),
    addresses: fc.option(fc.subarray(ADDRESSES, { minLength: 1 }), { nil: undefined }),
    chainIds: fc.option(fc.subarray([1, 10], { minLength: 1 }), { nil: undefined }),
    called: fc.option(named, { nil: undefined }),
    argument: fc.option(constraints, { nil: undefined }),
    limit: fc.option(fc.record({ asset: fc.option(anAddress, { nil: null }), maxPerCall: small.map(String) }), {
      nil: undefined,
    }),
  })
  .map(({ ruleType, addresses, chainIds, called, argument, limit }) => ({
    ...{ name: 'generated', chain: 'EVM' as const, ruleType },
    ...(addresses && { addresses }),
    ...(chainIds && { chainIds }),
    ...called,
    ...(called && argument && { argumentConstraints: [argument] }),
    ...(ruleType === 'allow' && limit && { valueLimit: limit }),
  }));

const compare = (found: bigint, operator: ConstraintOperator, value: bigint): boolean =>
  ({
    equal: found === value,
    notEqual: found !== value,
    greater: found > value,
    greaterEqual: found >= value,
    less: found < value,
    lessEqual: found <= value,
  })[operator];

/** The same rules, asked of what the transaction was made of and not of its bytes. */
function fits(rule: Rule, { to, value, chainId, call }: Truth): boolean {
  const { addresses, chainIds, functionName, argumentConstraints = [], valueLimit } = rule;
  const asked = rule.ruleType === 'deny' && call && call.name !== 'mint' ? [to, call.to] : [to];
  if (addresses && !asked.some((one) => addresses.includes(one))) return false;
  if (chainIds && !chainIds.includes(chainId)) return false;
  if (functionName !== undefined && call?.name !== functionName) return false;
  for (const { index, operator, value: wanted } of argumentConstraints) {
    const [first, second] = [
      call!.to === wanted,
      index === 1 && compare(call!.amount, operator, BigInt(wanted as string)),
    ];
    if (!(index === 0 ? first === (operator === 'equal') : second)) return false;
  }
  if (!valueLimit) return true;
  const most = BigInt(valueLimit.maxPerCall!);
  if (valueLimit.asset) {
    const isPlain = to === valueLimit.asset && (call?.name === 'transfer' || call?.name === 'approve');
    return isPlain && value === 0n && call.amount <= most;
  }
  return value <= most && (!call || addresses !== undefined || functionName !== undefined);
}

const isWithin = (policy: readonly Rule[], truth: Truth): boolean =>
  !policy.some((rule) => rule.ruleType === 'deny' && fits(rule, truth)) &&
  (!policy.some(({ ruleType }) => ruleType === 'allow') ||
    policy.some((rule) => rule.ruleType === 'allow' && fits(rule, truth)));

const agrees = (verdict: (policy: readonly Rule[], truth: Truth) => boolean) =>
  fc.property(fc.array(rules, { maxLength: 4 }), truths, (policy, truth) => {
    expect(verdict(policy, truth)).toBe(isWithin(policy, truth));
  });

describe('no transaction is signed outside of a policy, and none within is refused', () => {
  const verdict = (policy: readonly Rule[], truth: Truth) => judged(policy, bytesOf(truth), truth.chainId).isAllowed;

  it('in 3000 policies and transactions', () => {
    fc.assert(agrees(verdict), { numRuns: 3_000 });
  });

  it.each<[string, (policy: readonly Rule[]) => Rule[]]>([
    ['that forgets rules of the type deny', (policy) => policy.filter(({ ruleType }) => ruleType === 'allow')],
    ['that forgets addresses', (policy) => policy.map(({ addresses: _, ...rule }) => rule)],
    ['that forgets arguments', (policy) => policy.map(({ argumentConstraints: _, ...rule }) => rule)],
    ['that forgets limits', (policy) => policy.map(({ valueLimit: _, ...rule }) => rule)],
    ['that forgets networks', (policy) => policy.map(({ chainIds: _, ...rule }) => rule)],
  ])('would find a judgement %s', (_, forget) => {
    const found = fc.check(
      agrees((policy, truth) => verdict(forget(policy), truth)),
      { numRuns: 3_000 },
    );
    expect(found.failed).toBe(true);
  });
});

describe('what cannot be known', () => {
  const to = ADDRESSES[1]!;
  const call = (data: Hex): SigningRequest => ({
    kind: 'evmTransaction',
    transaction: serializeTransaction({ chainId: 1, to, data, maxFeePerGas: 1n }),
  });
  const transfer = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [to, 1n] });
  const rule = (ruleType: 'allow' | 'deny', value: string): Rule => ({
    ...{ name: 'r', ruleType, chain: 'EVM', contractAbi: ABI as never, functionName: 'transfer' },
    argumentConstraints: [{ index: 1, operator: 'lessEqual', value }],
  });

  it('denies, and never allows: a call whose arguments are written in another way', () => {
    const strange: Hex = `${transfer}00`;
    expect(judged([rule('allow', '5')], call(transfer), 1).isAllowed).toBe(true);
    expect(judged([rule('allow', '5')], call(strange), 1).isAllowed).toBe(false);
    expect(judged([rule('deny', '0')], call(transfer), 1).isAllowed).toBe(true);
    expect(judged([rule('deny', '0')], call(strange), 1).isAllowed).toBe(false);
  });

  it('denies, and never allows: a message, which is good on every network', () => {
    const message: SigningRequest = { kind: 'message', message: Buffer.from('hi') };
    const onOne = (ruleType: 'allow' | 'deny'): Rule => ({ name: 'r', ruleType, chain: 'EVM', chainIds: [1] });
    expect(judged([onOne('allow')], message, null).isAllowed).toBe(false);
    expect(judged([onOne('deny')], message, null).isAllowed).toBe(false);
    expect(judged([{ name: 'r', ruleType: 'allow', chain: 'EVM' }], message, null).isAllowed).toBe(true);
  });

  it('is judged of typed data by its primary type and its members', () => {
    const permit = (value: string): SigningRequest => ({
      kind: 'typedData',
      typedData: {
        types: {
          Permit: [
            { name: 'spender', type: 'address' },
            { name: 'value', type: 'uint256' },
          ],
        },
        primaryType: 'Permit',
        domain: { chainId: 1, verifyingContract: to },
        message: { spender: to, value },
      },
    });
    const few: Rule = {
      ...{ name: 'r', ruleType: 'allow', chain: 'EVM', addresses: [to], functionName: 'Permit' },
      argumentConstraints: [{ index: 1, operator: 'lessEqual', value: 5 }],
    };
    expect(judged([few], permit('5'), 1).isAllowed).toBe(true);
    expect(judged([few], permit('6'), 1).isAllowed).toBe(false);
    expect(judged([few], permit('0x5'), 1).isAllowed).toBe(false);
    expect(judged([few], call(transfer), 1).isAllowed).toBe(false);
    expect(judged([{ ...few, functionName: 'Order' }], permit('5'), 1).isAllowed).toBe(false);
    const many: Rule = { ...few, ruleType: 'deny', argumentConstraints: [{ index: 1, operator: 'greater', value: 5 }] };
    expect(judged([many], permit('5'), 1).isAllowed).toBe(true);
    expect(judged([many], permit('0x5'), 1).isAllowed).toBe(false);
  });

  it('is a call only where every constraint holds, and whichever function of that name is called', () => {
    const shop = ADDRESSES[2]!;
    const both: Rule = {
      ...rule('allow', '5'),
      argumentConstraints: [
        { index: 0, operator: 'equal', value: to },
        { index: 1, operator: 'lessEqual', value: '5' },
      ],
    };
    const paid = (args: readonly [Hex, bigint]) =>
      call(encodeFunctionData({ abi: ABI, functionName: 'transfer', args }));
    expect(judged([both], paid([to, 5n]), 1).isAllowed).toBe(true);
    expect(judged([both], paid([to, 6n]), 1).isAllowed).toBe(false);
    expect(judged([both], paid([shop, 5n]), 1).isAllowed).toBe(false);
    const overloaded = parseAbi(['function transfer(address to, uint256 amount, bytes data)']);
    const either: Rule = { ...rule('allow', '5'), contractAbi: [...overloaded, ...ABI] as never };
    expect(judged([either], paid([to, 5n]), 1).isAllowed).toBe(true);
    const longer = encodeFunctionData({ abi: overloaded, args: [to, 6n, '0x'] });
    expect(judged([either], call(longer), 1).isAllowed).toBe(false);
  });
});

it('a rule that restricts operations says nothing about what is signed', () => {
  const rule: Rule = { name: 'r', ruleType: 'deny', chain: 'EVM', operationRestrictions: { blockExport: true } };
  const judgement = judged([rule], { kind: 'message', message: Buffer.from('hi') }, null);
  expect(judgement).toMatchObject({ isAllowed: true, reason: 'allowed' });
});

describe('a limit', () => {
  const [, to, token] = ADDRESSES as [string, string, string];
  const isAllowed = (asset: string | null, effect: Partial<Effect>): boolean => {
    const rule: Rule = { name: 'r', ruleType: 'allow', chain: 'EVM', valueLimit: { asset, maxPerCall: '10' } };
    const effects = [{ to, value: 0n, token: null, call: null, ...effect }];
    return judge([parsePolicyRule(rule, '0')], { chain: 'EVM', networkId: 1, effects }, new Map()).isAllowed;
  };

  it('of coins counts what is paid to somebody, and nothing whose receiver or amount nobody knows', () => {
    expect(isAllowed(null, { value: 10n })).toBe(true);
    expect(isAllowed(null, { value: 10n, to: UNKNOWN })).toBe(false);
    expect(isAllowed(null, { value: UNKNOWN })).toBe(false);
    expect(isAllowed(null, { value: 10n, token: { asset: token, amount: 1n } })).toBe(false);
    expect(isAllowed(null, { value: 10n, call: { kind: 'function', data: '0xd0e30db0' } })).toBe(false);
  });

  it('of coins lets no token through by the name of its receiver, only by that of what is called', () => {
    const paid = { asset: token, amount: 10n };
    const call = { kind: 'function', data: '0xa9059cbb' } as const;
    const isSigned = (part: Partial<Effect>): boolean => {
      const rule: Rule = {
        ...{ name: 'r', ruleType: 'allow', chain: 'EVM' },
        addresses: [to],
        valueLimit: { maxPerCall: '10' },
      };
      const effects = [{ to, value: 0n, token: null, call: null, ...part }];
      return judge([parsePolicyRule(rule, '0')], { chain: 'EVM', networkId: 1, effects }, new Map()).isAllowed;
    };
    expect(isSigned({ token: paid })).toBe(false);
    expect(isSigned({ token: paid, call })).toBe(true);
    expect(isSigned({ value: 10n })).toBe(true);
  });

  it('of a token counts that token alone, without coins beside it', () => {
    const paid = { asset: token, amount: 10n };
    expect(isAllowed(token, { token: paid })).toBe(true);
    expect(isAllowed(to, { token: paid })).toBe(false);
    expect(isAllowed(token, { token: paid, value: 1n })).toBe(false);
    expect(isAllowed(token, { value: 0n })).toBe(false);
  });
});

describe('a hundred rules', () => {
  const to = ADDRESSES[1]!;
  const hundred = (ruleOf: (at: number) => Partial<Rule>): Rule[] =>
    Array.from({ length: 100 }, (_, at) => ({ name: 'r', ruleType: 'deny', chain: 'EVM', ...ruleOf(at) }));

  it('read a long call once, whatever they call its parameters', () => {
    const inputs = (at: number) => [
      { name: `list${at}`, type: 'tuple[]', components: [{ name: `bytes${at}`, type: 'bytes' }] },
      { name: `amount${at}`, type: 'uint256' },
    ];
    const abi = [{ type: 'function', name: 'go', stateMutability: 'view', inputs: inputs(0), outputs: [] }];
    const items = Array.from({ length: 400 }, () => ({ bytes0: '0x12' }));
    const data = encodeFunctionData({ abi, functionName: 'go', args: [items, 5n] });
    const rules = hundred((at) => ({
      contractAbi: [{ type: 'function', name: 'go', inputs: inputs(at) }],
      functionName: 'go',
      argumentConstraints: [{ index: 1, operator: 'equal', value: String(at + 6) }],
    }));
    const request: SigningRequest = {
      kind: 'evmTransaction',
      transaction: serializeTransaction({ chainId: 1, to, data, maxFeePerGas: 1n }),
    };
    const before = worked();
    expect(judged(rules, request, 1).isAllowed).toBe(true);
    expect(worked() - before).toBeLessThan(250);
  });

  it('look up a thousand receivers, however many addresses each of them names', () => {
    const addressOf = (number: number): string => getAddress(`0x${String(number).padStart(40, '0')}`);
    const rules = hundred((at) => ({ addresses: Array.from({ length: 300 }, (_, one) => addressOf(300 * at + one)) }));
    const parsed = rules.map((rule, at) => parsePolicyRule(rule, String(at)));
    const effects = Array.from({ length: 1_024 }, (_, at) => ({ to: addressOf(100_000 + at), value: 1n, token: null }));
    const asked = { chain: 'EVM', networkId: 1, effects: effects.map((one) => ({ ...one, call: null })) } as const;
    const before = worked();
    expect(judge(parsed, asked, new Map()).isAllowed).toBe(true);
    expect(worked() - before).toBeLessThan(250);
  });
});

describe('a total', () => {
  const to = ADDRESSES[1]!;
  const total: Rule = {
    ...{ name: 'r', ruleType: 'allow', chain: 'EVM', addresses: [to] },
    valueLimit: { totalLimit: '10' },
  };
  const pay = (value: bigint): SigningRequest => ({
    kind: 'evmTransaction',
    transaction: serializeTransaction({ chainId: 1, to, value, maxFeePerGas: 1n }),
  });

  it.each([{ maxPerCall: '10' }, { totalLimit: '10' }])(
    '%j is one for all that a transaction pays together',
    (limit) => {
      const rule = parsePolicyRule({ ...total, valueLimit: limit }, '0');
      const isAllowed = (...values: bigint[]): boolean => {
        const effects = values.map((value) => ({ to, value, token: null, call: null }));
        return judge([rule], { chain: 'EVM', networkId: 1, effects }, new Map()).isAllowed;
      };
      expect([isAllowed(6n, 4n), isAllowed(6n, 5n), isAllowed(6n, 4n, 1n)]).toEqual([true, false, false]);
    },
  );

  it('has room for what was not spent, and says what a signature takes of it', () => {
    expect(judged([total], pay(4n), 1, 6n)).toMatchObject({
      isAllowed: true,
      charges: [{ ruleId: '0', amount: 4n, totalLimit: 10n }],
    });
    expect(judged([total], pay(0n), 1, 6n)).toMatchObject({ isAllowed: true, charges: [] });
    expect(judged([total], pay(5n), 1, 6n)).toMatchObject({
      isAllowed: false,
      reason: expect.stringMatching(/exceeds/),
    });
  });
});
