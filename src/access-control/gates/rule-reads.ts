import { encodeFunctionData, erc20Abi, erc721Abi, size, type Address, type Hex } from 'viem';
import type { EvmRead, Reading } from '../../networks/index.js';
import { isNative, type HeldRule } from './gate-rules.js';
import type { Holdings, HeldWallet } from './rule-finding.js';

const ERC1155 = [
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [
      { name: 'owner', type: 'address' },
      { name: 'id', type: 'uint256' },
    ],
    outputs: [{ name: '', type: 'uint256' }],
  },
] as const;
const WORD = 32;

/**
 * The EVM calls for a rule: one common call first, then those for each wallet. A token id may belong to an ERC-721 or
 * an ERC-1155 contract: both are called, and the matching one answers.
 */
export function readsOf(rule: HeldRule, wallets: readonly HeldWallet[]): EvmRead[] {
  const to = rule.address.contractAddress as Address;
  const owners = wallets.map(({ address }) => address as Address);
  if (isNative(rule)) return owners.map((balanceOf) => ({ balanceOf }));
  const { tokenId } = rule.filter ?? {};
  if (rule.type === 'nft' && tokenId !== undefined) {
    const id = BigInt(tokenId);
    return [
      { to, data: encodeFunctionData({ abi: erc721Abi, functionName: 'ownerOf', args: [id] }) },
      ...owners.map((owner) => ({ to, data: encodeFunctionData({ abi: ERC1155, args: [owner, id] }) })),
    ];
  }
  const balances = owners.map((owner) => ({
    to,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
  }));
  const decimals = { to, data: encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' }) };
  return rule.type === 'token' ? [decimals, ...balances] : balances;
}

/** Decodes the results of {@link readsOf}. A reverted call or a result in another format counts as no holdings. */
export function holdingsIn(
  rule: HeldRule,
  wallets: readonly HeldWallet[],
  answers: readonly Reading<Hex | null>[],
  nativeDecimals: number,
): Holdings {
  const numbers = answers.map(({ value }) => numberOf(value));
  const hasCommon = numbers.length > wallets.length;
  const own = hasCommon ? numbers.slice(1) : numbers;
  const common = hasCommon ? (numbers[0] ?? null) : null;
  const asOwner = (address: string): bigint =>
    rule.type === 'nft' && common !== null && common === BigInt(address) ? 1n : 0n;
  const holdings = wallets.map(({ address }, at) => ({ address, amount: (own[at] ?? 0n) + asOwner(address) }));
  return {
    holdings,
    decimals: isNative(rule) ? nativeDecimals : rule.type === 'token' && common !== null ? Number(common) : null,
    blockNumber: answers[0]!.blockNumber,
    readAt: Math.min(...answers.map(({ readAt }) => readAt)),
  };
}

/** A single word, which is what all these functions return. */
const numberOf = (value: Hex | null): bigint | null => (value !== null && size(value) === WORD ? BigInt(value) : null);
