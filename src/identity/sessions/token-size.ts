import type { Claims } from './token-claims.js';

/**
 * A token travels as one line of a header, and many proxies take lines of 8 KB at most, nginx among them. Node refuses a
 * request whose headers are longer than twice that together.
 */
export const MAX_TOKEN_BYTES = 8_000;

/** A signature of RS256 with a key of 2,048 bits, in base64url. */
const SIGNATURE_BYTES = 342;
/** What the full token has beyond the small one at least, with some of what is missing from the profile. */
const FULL_TOKEN_BYTES = 1_500;

/**
 * What a full token can do without, in this order: what people cannot change their rights with, and may be long, goes
 * first. Nothing of it is read by the service.
 */
const DISPENSABLE = [
  ...['metadata', 'verified_credentials', 'lists', 't_shirt_size', 'team', 'job_title', 'country'],
  ...['btc_wallet', 'kda_wallet', 'ltc_wallet', 'ckb_wallet', 'kas_wallet', 'doge_wallet'],
  ...['alias', 'family_name', 'given_name', 'phone_number', 'username', 'email'],
];

const bytesOf = (claims: Claims): number => Buffer.byteLength(JSON.stringify(claims));

/** How many bytes of claims fit into a token of so many bytes (RFC 7515 §7.1). */
export function roomForClaims(tokenBytes: number, kid: string): number {
  const header = Buffer.from(JSON.stringify({ alg: 'RS256', typ: 'JWT', kid })).toString('base64url');
  return Math.floor(((tokenBytes - header.length - SIGNATURE_BYTES - '..'.length) * 3) / 4);
}

/**
 * The scopes for which there is room beside the other claims of the small token, the first ones first. Those that do not
 * fit are not given: a scope that is missing refuses something, and a token that is refused refuses everything.
 */
export function fittingScopes(
  scopes: readonly string[],
  { withoutScopes, room, asCookie }: { withoutScopes: Claims; room: number; asCookie: boolean },
): string[] {
  let left = room - bytesOf(withoutScopes) - (asCookie ? 0 : FULL_TOKEN_BYTES);
  return scopes.filter((scope) => {
    const size = scope.length + ' '.length;
    if (size > left) return false;
    left -= size;
    return true;
  });
}

/** The claims, and of those that would not fit a list of names instead. A claim that has to be there is empty then. */
export function fittingClaims(claims: Claims, room: number): Claims {
  let fitting = claims;
  const leftOut: string[] = [];
  for (const name of DISPENSABLE) {
    if (bytesOf(fitting) <= room) return fitting;
    const { [name]: value, ...rest } = fitting;
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    leftOut.push(name);
    fitting = { ...rest, ...(Array.isArray(value) && { [name]: [] }), left_out: [...leftOut] };
  }
  return withFewerMissingFields(fitting, leftOut, room);
}

/** Somebody who lacks that much is asked for the first of it first; an empty list would say that nothing is missing. */
function withFewerMissingFields(claims: Claims, leftOut: readonly string[], room: number): Claims {
  const fields = claims['missing_fields'] as readonly object[];
  let fitting = claims;
  for (let count = fields.length - 1; count > 0 && bytesOf(fitting) > room; count -= 1) {
    const names = [...leftOut, 'missing_fields'];
    fitting = { ...claims, missing_fields: fields.slice(0, count), left_out: names };
  }
  return fitting;
}
