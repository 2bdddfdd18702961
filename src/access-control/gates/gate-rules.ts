import { base58 } from '@scure/base';
import { getAddress, isAddress } from 'viem';
import type { Chain } from '../../identity/index.js';
import type { GateRule } from './gate.dto.js';

export const MAX_RULES = 20;

/** A rule as stored: with a known chain, a normalised address and a decimal token id. */
export interface HeldRule {
  type: 'nft' | 'token';
  chain: Chain;
  address: { networkId: number; contractAddress: string };
  filter?: { tokenId?: string; amount?: number };
}

export interface RuleProblem {
  message: string;
  /** Reading NFTs is not supported on this chain. */
  isNftUnsupported?: true;
}

const EVM_NATIVE = new Set([
  '0x0000000000000000000000000000000000000000',
  '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
]);
/** The System program, which stands for native lamports. */
const SOLANA_NATIVE = '11111111111111111111111111111111';
const TOKEN_ID = /^(?:0[xX][0-9a-fA-F]{1,64}|[0-9]{1,78})$/;
const MOST_TOKEN_ID = 2n ** 256n;
const SOLANA_ADDRESS_BYTES = 32;
/** Larger numbers are not plausible amounts, and JSON may serialise them in different ways. */
const MOST_AMOUNT = 1e60;

export const isEvm = (chain: string): boolean => chain === 'EVM' || chain === 'ETH';
export const isSolana = (chain: string): boolean => chain === 'SOL' || chain === 'ECLIPSE';
export const isNative = ({ chain, address }: HeldRule): boolean =>
  isEvm(chain) ? EVM_NATIVE.has(address.contractAddress.toLowerCase()) : address.contractAddress === SOLANA_NATIVE;

/** The rule as stored, or all its problems, each with its path. */
export function heldRuleOf(rule: GateRule, at: number): HeldRule | RuleProblem[] {
  const problems: RuleProblem[] = [];
  const wrong = (field: string, what: string): number => problems.push({ message: `rules[${at}].${field}: ${what}` });
  const { networkId, contractAddress } = rule.address;
  const chain = rule.chain ?? (/^0x/i.test(contractAddress) ? 'EVM' : 'SOL');
  if (!isEvm(chain) && !isSolana(chain)) {
    wrong('chain', `the service cannot read ${chain}; use EVM or SOL`);
    if (rule.type === 'nft') problems[0]!.isNftUnsupported = true;
    return problems;
  }
  const address = isEvm(chain) ? evmAddressOf(contractAddress) : solanaAddressOf(contractAddress);
  if (address === null) {
    const what = isEvm(chain)
      ? 'no address: 0x and 40 hex digits, with a right EIP-55 checksum where letters are mixed'
      : 'no address of Solana: 32 bytes in base58';
    wrong('address.contractAddress', what);
  }
  if (networkId < 0) wrong('address.networkId', 'no network has a negative number');
  const tokenId = tokenIdOf(rule.filter?.tokenId);
  if (tokenId === null) wrong('filter.tokenId', 'no token id: decimal, or hex after 0x, below 2^256');
  if (tokenId && rule.type === 'token') wrong('filter.tokenId', 'tokens of type token have no ids');
  if (tokenId && isSolana(chain)) wrong('filter.tokenId', 'an NFT of Solana is named by its mint alone');
  const amount = rule.filter?.amount;
  if (amount !== undefined) {
    if (!(amount > 0) || amount > MOST_AMOUNT) wrong('filter.amount', 'an amount is above 0 and at most 1e60');
    else if (rule.type === 'nft' && !Number.isInteger(amount))
      wrong('filter.amount', 'NFTs are counted in whole numbers');
  }
  const held: HeldRule = {
    type: rule.type,
    chain,
    address: { networkId, contractAddress: address ?? '' },
    ...((tokenId || amount !== undefined) && {
      filter: { ...(tokenId && { tokenId }), ...(amount !== undefined && { amount }) },
    }),
  };
  if (held.type === 'nft' && isNative(held)) wrong('type', 'a native coin is of type token');
  return problems.length > 0 ? problems : held;
}

/** EIP-55; addresses in a single case carry no checksum. */
function evmAddressOf(text: string): string | null {
  const digits = text.slice(2);
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  const lower = text.toLowerCase();
  return isAddress(isPlain ? lower : text, { strict: !isPlain }) ? getAddress(lower) : null;
}

function solanaAddressOf(text: string): string | null {
  try {
    return base58.decode(text).length === SOLANA_ADDRESS_BYTES ? text : null;
  } catch {
    return null;
  }
}

/** An empty string means no token id. */
function tokenIdOf(text = ''): string | null {
  if (text === '') return '';
  if (!TOKEN_ID.test(text)) return null;
  const id = BigInt(text.toLowerCase());
  return id < MOST_TOKEN_ID ? id.toString() : null;
}
