import { getAddress, isAddress } from 'viem';
import { domainToASCII } from 'node:url';
import { normaliseEmail, normalisePhone } from '../../identity/index.js';
import { spellingsOnAnyChain } from '../../common/addresses/normal-address.js';
import type { PostAllowlistEntriesRequest } from './allowlist-entry.dto.js';

/** The identifiers by which an entry matches a person. */
export type KeyKind = Exclude<keyof PostAllowlistEntriesRequest, 'alias'>;

/**
 * The canonical form for comparison: names in lower case, and addresses by the rule for all of them; ids unchanged.
 * Emails, domains and phone numbers are already normalised.
 */
export function entryKey(kind: KeyKind, value: string): string {
  switch (kind) {
    case 'walletPublicKey':
      return `wallet:${spellingsOnAnyChain(value)[0]}`;
    case 'discordUsername':
    case 'twitterUsername':
    case 'frameappUsername':
      return `${kind}:${bareName(value).toLowerCase()}`;
    default:
      return `${kind}:${value}`;
  }
}

/** The keys of a wallet: entries of earlier versions have the spelling that they were made with. */
export const walletKeys = (address: string): string[] => spellingsOnAnyChain(address).map((one) => `wallet:${one}`);

/** As people write it, with or without the sign before it. */
const bareName = (text: string): string => text.trim().replace(/^@/, '');

export const domainKey = (normalEmail: string): string =>
  entryKey('emailDomain', normalEmail.slice(normalEmail.lastIndexOf('@') + 1));

/** For searches only: an alias helps to tell people apart but grants no access. */
export const aliasKey = (alias: string, entryId: string): string => `alias:${alias.toLowerCase()}\u0001${entryId}`;

const NAMES = ['discordUsername', 'twitterUsername', 'frameappUsername'] as const;

/** Search prefixes for a query: both as users write identifiers and as they are stored. */
export function searchPrefixes(query: string): string[] {
  const exact = query.trim();
  const text = exact.toLowerCase();
  const bare = bareName(exact);
  const number = exact.replaceAll(/[\s().-]/g, '');
  const prefixes = [
    ...[`alias:${text}`, `email:${normaliseEmail(exact)?.normal ?? text}`],
    ...[...walletKeys(exact), `wallet:${text}`, `wallet:${exact}`, `frameappFid:${exact}`],
    ...[`externalUserId:${exact}`, `externalUserId:${query}`],
    // An empty remainder is skipped: as a prefix, it would match everything.
    ...(bare === ''
      ? []
      : [`emailDomain:${domainOf(bare) ?? bare.toLowerCase()}`, ...NAMES.map((kind) => entryKey(kind, bare))]),
    ...(/\d/.test(number) ? [`phoneNumber:${number}`, `phoneNumber:+${number}`] : []),
  ];
  return [...new Set(prefixes)];
}

type Fields = PostAllowlistEntriesRequest;

/** A normalised entry, or its problems. */
export type ReadEntry = { fields: Fields; keys: string[]; problems?: never } | { problems: string[] };

/** Empty strings count as absent. An immutable id takes precedence over its user name. */
export function readEntry(request: Fields): ReadEntry {
  const problems: string[] = [];
  const fields: Fields = {};
  const take = <K extends keyof Fields>(
    name: K,
    read: (value: NonNullable<Fields[K]>) => Fields[K] | null,
    not: string,
  ) => {
    const value = request[name];
    if (value === undefined || value === null || value === '') return;
    const normal = read(value);
    if (normal === null || normal === undefined || normal === '') problems.push(`${name}: ${not}`);
    else fields[name] = normal;
  };
  take('walletPublicKey', walletOf, 'no address, or its EIP-55 checksum is wrong');
  take('email', (value) => normaliseEmail(value)?.normal ?? null, 'no email address');
  take('emailDomain', domainOf, 'no domain name');
  take('phoneNumber', (value) => normalisePhone(value)?.e164 ?? null, 'no phone number that can exist, in E.164');
  for (const name of NAMES) take(name, (value) => (bareName(value) === '' ? null : value.trim()), 'empty');
  // Another system's text, which users have as it is.
  take('externalUserId', (value) => (value.trim() === '' ? null : value), 'empty');
  take('frameappFid', (value) => (Number.isSafeInteger(value) && value > 0 ? value : null), 'no whole number above 0');
  take('alias', (value) => value.trim(), 'empty');
  if (problems.length > 0) return { problems };
  const kinds = (Object.keys(fields) as (keyof Fields)[]).filter(
    (name) => name !== 'alias' && !(name === 'frameappUsername' && fields.frameappFid !== undefined),
  );
  if (kinds.length === 0)
    return { problems: ['an entry names somebody by one field at least; an alias alone does not'] };
  return { fields, keys: kinds.map((kind) => entryKey(kind as KeyKind, String(fields[kind]))) };
}

/** The chain is unknown, so only text that looks like an EVM address is validated as one. */
function walletOf(text: string): string | null {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) return text;
  const digits = text.slice(2);
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  const lower = text.toLowerCase();
  return isPlain || isAddress(text) ? getAddress(lower) : null;
}

/** Lower-case punycode (RFC 5891 section 4). */
function domainOf(text: string): string | null {
  const ascii = domainToASCII(text.trim().replace(/^@/, '').toLowerCase());
  return /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/.test(ascii) && ascii.length <= 253 ? ascii : null;
}
