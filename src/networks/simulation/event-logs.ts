import { getAddress, parseAbi, decodeEventLog, size, slice, toEventSelector, type Hex } from 'viem';
import type { Approval, Movement } from './outcome.js';

export interface Log {
  address: string;
  topics: readonly Hex[];
  data: Hex;
}

/** ERC-7528: stands for the native currency in logs, which name a contract. */
export const NATIVE_LOG = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

const ERC1155 = parseAbi([
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
]);
const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
const APPROVAL = toEventSelector('Approval(address,address,uint256)');
const APPROVAL_FOR_ALL = toEventSelector('ApprovalForAll(address,address,bool)');
/** WETH9 mints and burns without a Transfer event. */
const DEPOSIT = toEventSelector('Deposit(address,uint256)');
const WITHDRAWAL = toEventSelector('Withdrawal(address,uint256)');
const ZERO = '0x0000000000000000000000000000000000000000';
/** More than any token's supply in its smallest unit. */
const BEYOND_ANY_BALANCE = 2n ** 128n;
/** What an unlimited approval becomes in tokens with 96-bit amounts, such as COMP and UNI. */
const ALL_OF_96_BITS = 2n ** 96n - 1n;
const MOST_IDS = 100;

const accountOf = (topic: Hex): string => getAddress(slice(topic, 12));
const numberOf = (data: Hex): bigint => (size(data) >= 32 ? BigInt(slice(data, 0, 32)) : 0n);

/** The transfers in logs. Other events and malformed logs yield nothing. */
export function movementsOf({ address, topics, data }: Log): Movement[] {
  const token = getAddress(address);
  const [event, first, second, third] = topics;
  if (event === TRANSFER && first && second) {
    const parties = { from: accountOf(first), to: accountOf(second) };
    if (token === NATIVE_LOG) return [{ token: null, kind: 'NATIVE', ...parties, amount: numberOf(data) }];
    if (third) return [{ token, kind: 'ERC721', ...parties, amount: 1n, tokenId: BigInt(third) }];
    return [{ token, kind: 'ERC20', ...parties, amount: numberOf(data) }];
  }
  if (event === DEPOSIT && first && !second) {
    return [{ token, kind: 'ERC20', from: ZERO, to: accountOf(first), amount: numberOf(data) }];
  }
  if (event === WITHDRAWAL && first && !second) {
    return [{ token, kind: 'ERC20', from: accountOf(first), to: ZERO, amount: numberOf(data) }];
  }
  return multiTokensOf(token, topics, data);
}

function multiTokensOf(token: string, topics: readonly Hex[], data: Hex): Movement[] {
  if (topics.length !== 4) return [];
  try {
    const { eventName, args } = decodeEventLog({ abi: ERC1155, topics: topics as [Hex, ...Hex[]], data });
    const { from, to } = args;
    const of = (tokenId: bigint, amount: bigint): Movement => ({ token, kind: 'ERC1155', from, to, amount, tokenId });
    if (eventName === 'TransferSingle') return [of(args.id, args.value)];
    return args.ids.slice(0, MOST_IDS).map((id, at) => of(id, args.values[at] ?? 0n));
  } catch {
    return [];
  }
}

/** The approvals in logs. */
export function approvalsOf({ address, topics, data }: Log): Approval[] {
  const [event, first, second, third] = topics;
  if (!first || !second) return [];
  const parties = { token: getAddress(address), owner: accountOf(first), spender: accountOf(second) };
  if (event === APPROVAL_FOR_ALL) {
    return [{ ...parties, kind: 'ERC1155', amount: numberOf(data) === 0n ? 0n : 'all' }];
  }
  if (event !== APPROVAL) return [];
  // An approval of the zero address revokes one; older collections log it with each transfer.
  if (third)
    return [{ ...parties, kind: 'ERC721', amount: parties.spender === ZERO ? 0n : 1n, tokenId: BigInt(third) }];
  const amount = numberOf(data);
  const isAll = amount >= BEYOND_ANY_BALANCE || amount === ALL_OF_96_BITS;
  return [{ ...parties, kind: 'ERC20', amount: isAll ? 'all' : amount }];
}
