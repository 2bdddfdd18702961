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
 * What to ask an EVM chain about a rule: one common question first, then one for each wallet. A token id may be of an
 * ERC-721 or of an ERC-1155 contract: both are asked, and the one it is answers.
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

/** Reads the answers to {@link readsOf}. What a contract refuses or answers in another form is nothing held. */
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

/** One word, as all these functions answer. */
const numberOf = (value: Hex | null): bigint | null => (value !== null && size(value) === WORD ? BigInt(value) : null);
