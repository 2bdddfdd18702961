import type { Claims } from './token-claims.js';

/**
 * A token is sent in one header line, and many proxies, nginx among them, limit lines to 8 KB. Node rejects requests
 * whose headers exceed twice that in total.
 */
export const MAX_TOKEN_BYTES = 8_000;

/** An RS256 signature with a 2,048-bit key, in base64url. */
const SIGNATURE_BYTES = 342;
/** The minimum that the full token adds to the minified one, including some missing profile fields. */
const FULL_TOKEN_BYTES = 1_500;

/**
 * Claims that a full token can omit, in this order: first those that grant no rights and may be long. The service reads
 * none of them.
 */
const DISPENSABLE = [
  ...['metadata', 'verified_credentials', 'lists', 't_shirt_size', 'team', 'job_title', 'country', 'verified_account'],
  ...['btc_wallet', 'kda_wallet', 'ltc_wallet', 'ckb_wallet', 'kas_wallet', 'doge_wallet'],
  ...['alias', 'family_name', 'given_name', 'phone_number', 'username', 'email'],
];

const bytesOf = (claims: Claims): number => Buffer.byteLength(JSON.stringify(claims));

/** Bytes of claims that fit into a token of this size (RFC 7515 §7.1). */
export function roomForClaims(tokenBytes: number, kid: string): number {
  const header = Buffer.from(JSON.stringify({ alg: 'RS256', typ: 'JWT', kid })).toString('base64url');
  return Math.floor(((tokenBytes - header.length - SIGNATURE_BYTES - '..'.length) * 3) / 4);
}

/**
 * The scopes that fit beside the other claims of the minified token, in order. The rest are not granted: a missing
 * scope refuses something, a rejected token refuses everything.
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

/** The claims, with those that do not fit replaced by a list of their names. A required claim is emptied instead. */
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

/** With that many missing fields, the first are requested first; an empty list would mean that nothing is missing. */
function withFewerMissingFields(claims: Claims, leftOut: readonly string[], room: number): Claims {
  const fields = claims['missing_fields'] as readonly object[];
  let fitting = claims;
  for (let count = fields.length - 1; count > 0 && bytesOf(fitting) > room; count -= 1) {
    const names = [...leftOut, 'missing_fields'];
    fitting = { ...claims, missing_fields: fields.slice(0, count), left_out: names };
  }
  return fitting;
}
