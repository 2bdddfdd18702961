import { isStorable } from '../../common/storable-text.js';
import type { TokenSet } from '../../oidc/index.js';
import { notConfirmed } from './social.errors.js';
import type { VendorPerson } from './social-vendor.js';

export interface SocialBegin {
  redirectUri: string;
  /** 256 random bits, kept by whoever begins. */
  state: string;
  /** BASE64URL(SHA-256(verifier)) (RFC 7636 section 4.2). */
  codeChallenge: string;
  nonce: string;
}

export interface SocialFinish {
  /** The one that the attempt began with and that came back. */
  state: string;
  /** The code; from a provider of OpenID 2.0 the query string of its whole answer. */
  code: string;
  redirectUri: string;
  codeVerifier: string;
  nonce: string;
  /** The issuer that the answer named, if it did (RFC 9207). */
  iss?: string;
}

/** An account at a provider, and what the provider says of the person. */
export interface SocialIdentity {
  /** Never changes and is never given to another account. */
  subject: string;
  email: string | null;
  /** Whether the provider says that it has seen the address to be the person's. */
  emailVerified: boolean;
  /** Whether its word alone proves the mailbox: the address is one that the provider itself gives out, and verified. */
  emailAuthoritative: boolean;
  displayName: string | null;
  username: string | null;
  photos: string[];
  /** Null where the protocol knows none. Secrets: never logged, kept sealed. */
  tokens: Omit<TokenSet, 'idToken' | 'rest'> | null;
}

const MAX_SUBJECT = 255;

/** @throws socialSignInFailed when the vendor names no account */
export function identityOf(person: VendorPerson, tokens: TokenSet | null): SocialIdentity {
  const { subject, emailVerified = false, emailAuthoritative = false } = person;
  const [email, photo] = [kept(person.email), kept(person.photo)];
  if (typeof subject !== 'string' || subject === '' || subject.length > MAX_SUBJECT || !isStorable(subject)) {
    throw notConfirmed('profile');
  }
  const isVerified = email !== null && emailVerified;
  return {
    subject,
    email,
    emailVerified: isVerified,
    emailAuthoritative: isVerified && emailAuthoritative,
    // Vendors cut names to a length, in the middle of a character too. It is only shown, so what is left of it is taken.
    displayName: person.displayName?.replaceAll('\0', '').toWellFormed() || null,
    username: kept(person.username),
    photos: photo?.startsWith('https://') ? [photo] : [],
    tokens: tokens && keptOf(tokens),
  };
}

/** Null for what cannot be stored as it is: in another form it would be another address, or somebody else's name. */
const kept = (said: string | null | undefined): string | null => (said && isStorable(said) ? said : null);

export const keptOf = ({ accessToken, refreshToken, expiresInSeconds, scope }: TokenSet) => ({
  accessToken,
  refreshToken,
  expiresInSeconds,
  scope,
});
