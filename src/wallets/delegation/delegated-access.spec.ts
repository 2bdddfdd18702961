import { describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import fc from 'fast-check';
import { encodeFunctionData, getAddress, parseAbi, serializeTransaction, type Hex } from 'viem';
import type { ApiError } from '../../common/errors/index.js';
import {
  CustodianRegistry,
  effectsOf,
  networkFeeOf,
  UNKNOWN,
  type Capabilities,
  type CustodyVersion,
  type SigningRequest,
} from '../../custody/index.js';
import { assertSignedByCustodian, judgeAccess, readAccess, type DelegatedAccess } from './delegated-access.js';
import type { DelegatedAccessGrant } from './delegated-access.dto.js';

const ADDRESSES = [1, 2, 3].map((digit) => getAddress(`0x${String(digit).repeat(40)}`));
const ACCOUNT = { chain: 'EVM', address: ADDRESSES[0]! } as const;
const TRANSFER = parseAbi(['function transfer(address to, uint256 amount)']);
const CAPS = { maxPerTransaction: '10', maxPerDay: '20' };

const reasonOf = (grant: DelegatedAccessGrant, chain: 'EVM' | 'SOL' = 'EVM'): unknown => {
  try {
    readAccess(grant, chain);
    return null;
  } catch (error) {
    return (error as ApiError).details.payload?.['reason'];
  }
};

const judged = (access: DelegatedAccess, request: SigningRequest, networkId: number | null, spent = 0n) => {
  const effects = effectsOf(ACCOUNT, request);
  const fee = networkFeeOf(ACCOUNT, request);
  return judgeAccess(access, { chain: 'EVM', networkId, kind: request.kind, effects, fee }, spent);
};
const isAllowed = (...asked: Parameters<typeof judged>): boolean => judged(...asked).isAllowed;

describe('what a user gives', () => {
  it('is messages alone unless it says more', () => {
    expect(readAccess(undefined, 'EVM').kinds).toEqual(['message']);
  });

  it.each<[string, DelegatedAccessGrant, string]>([
    ['nothing', { kinds: [] }, 'grant.kinds is empty'],
    ['a transaction without caps', { kinds: ['evmTransaction'] }, 'maxPerTransaction and maxPerDay are required'],
    ['a kind of another chain', { kinds: ['evmTransaction', 'psbt'], ...CAPS }, 'a wallet on EVM signs no psbt'],
    ['one cap of two', { kinds: ['evmTransaction'], maxPerDay: '1' }, 'maxPerTransaction and maxPerDay are required'],
    ['caps of messages', { kinds: ['message'], ...CAPS }, 'no value that a cap could count'],
    ['networks of messages', { kinds: ['message'], chainIds: [1] }, 'messages have no network'],
    ['typed data for any contract', { kinds: ['typedData'] }, 'named contracts alone'],
    ['an empty list', { kinds: ['evmTransaction'], ...CAPS, contracts: [] }, 'an empty list allows nothing'],
    ['an empty list of networks', { kinds: ['evmTransaction'], ...CAPS, chainIds: [] }, 'an empty list allows nothing'],
    [
      'a mistyped address',
      { kinds: ['evmTransaction'], ...CAPS, contracts: ['0x70997970C51812dc3A010C7d01b50e0d17dc79c8'] },
      'is none of the chain',
    ],
    ['no address', { kinds: ['evmTransaction'], ...CAPS, contracts: ['x'] }, 'is none of the chain'],
  ])('is refused where it would not be enforced: %s', (_, grant, reason) => {
    expect(reasonOf(grant)).toContain(reason);
  });

  it('has networks on EVM alone', () => {
    expect(reasonOf({ kinds: ['solanaTransaction'], ...CAPS, chainIds: [1] }, 'SOL')).toContain('EVM');
  });

  it('is of keys with which a custodian signs, whatever their version', () => {
    const custodians = new CustodianRegistry();
    const signs: Partial<Capabilities> = { sign: { sign: () => Promise.reject(new Error('not asked')) } };
    custodians.register({ version: 'V1', can: signs });
    custodians.register({ version: 'V3', can: signs });
    custodians.register({ version: 'external', can: {} });
    const of =
      (version: CustodyVersion, isShared = false) =>
      () =>
        assertSignedByCustodian(custodians, { version, isShared });
    for (const version of ['V1', 'V3'] as const) expect(of(version)).not.toThrow();
    for (const version of ['V2', 'V3'] as const) expect(of(version, true)).toThrow(/shared key/);
    expect(of('external')).toThrow(/does not support/);
    expect(of('V2')).toThrow(/no custodian/);
  });
});

describe('a signature within it', () => {
  it('is never one beyond it: networks, addresses, calls and both caps with the fee, by the bytes', () => {
    const some = <T>(values: readonly T[]) => fc.constantFrom(...values);
    const grants = fc.record({
      chainIds: fc.option(fc.subarray([1, 10, 137], { minLength: 1 }), { nil: undefined }),
      contracts: fc.option(fc.subarray(ADDRESSES, { minLength: 1 }), { nil: undefined }),
      maxPerTransaction: fc.bigInt(0n, 20n).map(String),
      maxPerDay: fc.bigInt(0n, 40n).map(String),
    });
    const truths = fc.record({
      to: some(ADDRESSES),
      chainId: some([1, 10, 137]),
      value: fc.bigInt(0n, 30n),
      gas: fc.bigInt(0n, 6n),
      price: fc.bigInt(0n, 4n),
      isLegacy: fc.boolean(),
      isCall: fc.boolean(),
      spent: fc.bigInt(0n, 40n),
    });
    let allowed = 0;
    fc.assert(
      fc.property(
        grants,
        truths,
        ({ chainIds, contracts, ...caps }, { to, chainId, value, isCall, spent, ...paid }) => {
          const { gas, price, isLegacy } = paid;
          const lists = { ...(chainIds && { chainIds }), ...(contracts && { contracts }) };
          const access = readAccess({ kinds: ['evmTransaction'], ...caps, ...lists }, 'EVM');
          const data: Hex = isCall ? encodeFunctionData({ abi: TRANSFER, args: [to, 1n] }) : '0x';
          const transaction = serializeTransaction({
            chainId,
            to,
            value,
            data,
            gas,
            nonce: 0,
            ...(isLegacy ? { gasPrice: price } : { maxFeePerGas: price }),
          });
          const cost = value + gas * price;
          const expected =
            (!chainIds || chainIds.includes(chainId)) &&
            (contracts ? contracts.includes(to) : !isCall) &&
            cost <= BigInt(caps.maxPerTransaction) &&
            spent + cost <= BigInt(caps.maxPerDay);
          if (expected) allowed++;
          const charge = cost > 0n ? { amount: cost, maxPerDay: BigInt(caps.maxPerDay) } : null;
          const judgement = judged(access, { kind: 'evmTransaction', transaction }, chainId, spent);
          expect(judgement).toEqual(
            expected ? { isAllowed: true, charge } : { isAllowed: false, reason: expect.any(String) },
          );
        },
      ),
      { numRuns: 2_000 },
    );
    expect(allowed).toBeGreaterThan(0);
  });

  it('gives nothing to the network that no cap counts', () => {
    const access = readAccess({ kinds: ['evmTransaction'], ...CAPS }, 'EVM');
    const asked = { chain: 'EVM', networkId: 1, kind: 'evmTransaction' } as const;
    const effects = [{ to: ADDRESSES[1]!, value: 0n, token: null, call: null }];
    const reasonFor = (fee: bigint | typeof UNKNOWN) => judgeAccess(access, { ...asked, effects, fee }, 0n);
    expect(reasonFor(10n)).toEqual({ isAllowed: true, charge: { amount: 10n, maxPerDay: 20n } });
    expect(reasonFor(11n)).toMatchObject({ isAllowed: false, reason: expect.stringContaining('fee') });
    expect(reasonFor(UNKNOWN)).toMatchObject({ isAllowed: false, reason: expect.stringContaining('cannot be read') });
  });

  it('on Solana moves tokens to a named account, which no cap counts, and to no other', () => {
    const [named, other, mint] = [1, 2, 3].map((byte) => base58.encode(Buffer.alloc(32, byte))) as [
      string,
      string,
      string,
    ];
    const asked = { chain: 'SOL', networkId: null, kind: 'solanaTransaction', fee: 0n } as const;
    const isSigned = (to: string, contracts?: string[]): boolean => {
      const access = readAccess({ kinds: ['solanaTransaction'], ...CAPS, ...(contracts && { contracts }) }, 'SOL');
      const effects = [{ to, value: 0n, token: { asset: mint, amount: 1_000n }, call: null }];
      return judgeAccess(access, { ...asked, effects }, 0n).isAllowed;
    };
    expect([isSigned(named, [named]), isSigned(other, [named]), isSigned(named)]).toEqual([true, false, false]);
  });

  it('creates no contract', () => {
    const access = readAccess({ kinds: ['evmTransaction'], ...CAPS }, 'EVM');
    const transaction = serializeTransaction({ chainId: 1, data: '0x6001', gas: 9n, maxFeePerGas: 1n, nonce: 0 });
    expect(isAllowed(access, { kind: 'evmTransaction', transaction }, 1)).toBe(false);
  });

  it('of typed data is for a named contract and network', () => {
    const [shop, other] = ADDRESSES as [Hex, Hex];
    const access = readAccess({ kinds: ['typedData'], chainIds: [1], contracts: [shop] }, 'EVM');
    const typed = (domain: Record<string, unknown>): SigningRequest => ({
      kind: 'typedData',
      typedData: { types: { Order: [] }, primaryType: 'Order', domain, message: {} },
    });
    expect(isAllowed(access, typed({ verifyingContract: shop }), 1)).toBe(true);
    expect(isAllowed(access, typed({ verifyingContract: other }), 1)).toBe(false);
    expect(isAllowed(access, typed({ verifyingContract: shop }), 137)).toBe(false);
    expect(isAllowed(access, typed({ verifyingContract: shop }), null)).toBe(false);
    expect(isAllowed(access, typed({}), 1)).toBe(false);
  });
});
