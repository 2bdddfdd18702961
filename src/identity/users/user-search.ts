import { base58, bech32, bech32m } from '@scure/base';
import { validationFailed } from '../../common/errors/index.js';
import { isUuid } from '../../common/ids.js';
import type { ListUsersQuery, UserSearchFilterParams } from './user-query.dto.js';
import { DEFAULT_PAGE } from './user-query.dto.js';
import type { Chain } from '../vocabulary/chains.js';
import type { UserFilterColumn } from '../vocabulary/users.js';

/** The columns a list may be ordered by. */
export const ORDER_COLUMNS = [
  'createdAt',
  'updatedAt',
  'firstVisit',
  'lastVisit',
  'email',
  'alias',
  'firstName',
  'lastName',
  'username',
] as const;
export type OrderColumn = (typeof ORDER_COLUMNS)[number];

/** Columns with substring search; all other filters compare whole values. */
type TextColumn = Extract<
  UserFilterColumn,
  'all' | 'email' | 'alias' | 'firstName' | 'lastName' | 'phoneNumber' | 'jobTitle' | 'username'
>;

/** A condition that users must match. */
export type UserMatch =
  | { by: 'part'; column: TextColumn; pattern: string }
  | { by: 'id'; id: string }
  | { by: 'address'; address: string }
  | { by: 'account'; accountId: string };

export interface UserSearch {
  order: { column: OrderColumn; descending: boolean };
  offset: number;
  limit: number;
  includeSessions: boolean;
  match: UserMatch | null;
  provider: string | null;
  chain: Chain | null;
  /** Only users who share an identifier with another user. */
  duplicates: boolean;
}

/** Text shorter than a trigram cannot be looked up in the index. */
const MIN_PART = 3;
const NO_USER = '00000000-0000-0000-0000-000000000000';
/** An address on an EVM, Sui, Aptos, Starknet or, with 16 digits, Flow chain. */
const HEX_ADDRESS = /^0x(?:[0-9a-f]{16}|[0-9a-f]{40,64})$/i;
/** A key and its checksum in base32. */
const ALGORAND_ADDRESS = /^[A-Z2-7]{58}$/i;
/** The user-friendly form of a TON address. */
const TON_ADDRESS = /^[EU]Q[\w-]{46}$/;
const BASE58_TEXT = /^[1-9A-HJ-NP-Za-km-z]{26,44}$/;
/** Decoded length of a Solana key, and of a Bitcoin or Tron hash with version and checksum (Base58Check). */
const BASE58_BYTES: readonly number[] = [32, 25];
/** Maximum address length in characters (BIP-173). */
const BECH32_LIMIT = 90;

/** @throws ApiError 400 for an unsupported order or filter */
export function userSearchOf(query: ListUsersQuery): UserSearch {
  const { filter = {}, offset = 0, limit = DEFAULT_PAGE, includeSessions = false } = query;
  return {
    order: orderOf(query.orderBy ?? 'createdAt-desc'),
    offset,
    limit,
    includeSessions,
    match: matchOf(filter),
    provider: filter.filterSocialProvider ?? null,
    chain: filter.chain ?? null,
    duplicates: filter.filterDuplicates === true,
  };
}

function orderOf(orderBy: string): UserSearch['order'] {
  const [name, direction] = orderBy.split('-');
  const column = ORDER_COLUMNS.find((known) => known === name);
  if (!column) throw refuse('orderBy', `orderBy must name one of ${ORDER_COLUMNS.join(', ')}`);
  return { column, descending: direction === 'desc' };
}

function matchOf({ filterColumn = 'all', filterValue }: UserSearchFilterParams): UserMatch | null {
  const value = filterValue?.trim();
  if (!value) return null;
  switch (filterColumn) {
    case 'id':
      return { by: 'id', id: isUuid(value) ? value.toLowerCase() : NO_USER };
    case 'walletPublicKey':
    case 'wallet':
      return { by: 'address', address: value };
    case 'accountId':
      return { by: 'account', accountId: value };
    case 'all':
      if (isUuid(value)) return { by: 'id', id: value.toLowerCase() };
      if (isAddress(value)) return { by: 'address', address: value };
      return partOf('all', value);
    default:
      return partOf(filterColumn, value);
  }
}

/** Whether the text can be a blockchain address: no name looks like one. */
function isAddress(text: string): boolean {
  if ([HEX_ADDRESS, ALGORAND_ADDRESS, TON_ADDRESS].some((form) => form.test(text))) return true;
  if (BASE58_TEXT.test(text)) return BASE58_BYTES.includes(base58.decode(text).length);
  return (
    bech32.decodeUnsafe(text, BECH32_LIMIT) !== undefined || bech32m.decodeUnsafe(text, BECH32_LIMIT) !== undefined
  );
}

function partOf(column: TextColumn, value: string): UserMatch {
  if ([...value].length < MIN_PART) {
    throw refuse('filter.filterValue', `filter.filterValue must have at least ${MIN_PART} characters`);
  }
  return { by: 'part', column, pattern: `%${escapeLike(value)}%` };
}

/** Escapes LIKE wildcards. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const refuse = (field: string, message: string): Error =>
  validationFailed({ payload: { fields: [{ field, message }] } });
