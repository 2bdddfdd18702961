import type { SignInMessage } from './sign-in-message.js';

/** What a message is checked against. */
export interface MessageTerms {
  now: Date;
  /** The chain's word for an account in messages. */
  account: string;
  /** The address of the request, in canonical form, and the function that normalises the message's. */
  address: string;
  addressOf(text: string): string | null;
  /** The `Origin` header, which browsers set and pages cannot change. */
  origin: string | null;
}

interface MessageRule {
  /** Whether the message satisfies the rule; `hint` is the error if not. */
  holds(message: SignInMessage, terms: MessageTerms): boolean;
  hint: string;
}

/** How far a device's clock may be ahead of ours. */
const CLOCK_LEEWAY_MS = 60_000;
/** A nonce is valid for five minutes; signing takes a while. */
const MAX_AGE_MS = 10 * 60_000;
const SCHEMES: ReadonlySet<string> = new Set(['https:', 'http:', 'chrome-extension:', 'moz-extension:']);

/** The origin of a URI, in the browser's spelling; extensions have one too (RFC 6454 §4). */
export function originOf(uri: string): string | null {
  if (!URL.canParse(uri)) return null;
  const { protocol, host, username, password } = new URL(uri);
  if (!SCHEMES.has(protocol) || username !== '' || password !== '' || host === '') return null;
  return `${protocol}//${host}`;
}

const hostOf = (uri: string): string | null => originOf(uri)?.split('://')[1] ?? null;

/** EIP-4361, "Verifying a Signed Message", in order of evaluation. */
const RULES: readonly MessageRule[] = [
  {
    holds: ({ account }, terms) => account === terms.account,
    hint: 'The first line names an account of another chain.',
  },
  {
    // Also refuses a wrong or missing checksum, as EIP-4361 requires EIP-55 addresses.
    holds: ({ address }, terms) => terms.addressOf(address) === terms.address && address === terms.address,
    hint: 'The address of the message is not the address of the request, with its checksum.',
  },
  {
    holds: ({ uri }) => originOf(uri) !== null,
    hint: '"URI" is not the address of a page.',
  },
  {
    holds: ({ domain, uri }) => domain === hostOf(uri),
    hint: 'The domain is not the host of "URI".',
  },
  {
    holds: ({ scheme, uri }) => scheme === null || uri.startsWith(`${scheme}://`),
    hint: 'The scheme of the domain is not the scheme of "URI".',
  },
  {
    holds: ({ uri }, { origin }) => origin === null || origin === originOf(uri),
    hint: 'The message was made for another site than the one that calls.',
  },
  {
    holds: ({ version }) => version === '1',
    hint: '"Version" is 1.',
  },
  {
    holds: ({ nonce }) => /^[A-Za-z0-9]{8,64}$/.test(nonce),
    hint: '"Nonce" is the one that getNonce answered.',
  },
  {
    holds: ({ issuedAt }, { now }) => issuedAt.getTime() <= now.getTime() + CLOCK_LEEWAY_MS,
    hint: '"Issued At" lies in the future. Check the clock of the device.',
  },
  {
    holds: ({ issuedAt }, { now }) => issuedAt.getTime() >= now.getTime() - MAX_AGE_MS,
    hint: '"Issued At" is more than ten minutes ago. Sign a new message.',
  },
  {
    holds: ({ expirationTime }, { now }) => expirationTime === null || expirationTime > now,
    hint: '"Expiration Time" has passed.',
  },
  {
    holds: ({ expirationTime, issuedAt }) => expirationTime === null || expirationTime > issuedAt,
    hint: '"Expiration Time" is before "Issued At".',
  },
  {
    holds: ({ notBefore }, { now }) => notBefore === null || notBefore <= now,
    hint: '"Not Before" has not come yet.',
  },
];

/** The hint of the first broken rule; null if there is none. */
export const problemOf = (message: SignInMessage, terms: MessageTerms): string | null =>
  RULES.find((rule) => !rule.holds(message, terms))?.hint ?? null;
