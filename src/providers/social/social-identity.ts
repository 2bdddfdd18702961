import { cutText } from '../../common/cut-text.js';
import { isStorable } from '../../common/storable-text.js';
import type { TokenSet } from '../../oidc/index.js';
import { notConfirmed } from './social.errors.js';
import type { UntoldField, VendorPerson } from './social-vendor.js';

export interface SocialBegin {
  redirectUri: string;
  /** 256 random bits, kept by the initiator. */
  state: string;
  /** BASE64URL(SHA-256(verifier)) (RFC 7636 section 4.2). */
  codeChallenge: string;
  nonce: string;
}

/** The parameters with which a provider sends the browser back. */
export interface SocialResponse {
  code?: string | undefined;
  error?: string | undefined;
  /** The raw query string. */
  text: string;
}

/** The error code of a response that has neither a code nor an error. */
export const INVALID_RESPONSE = 'invalid_response';

export interface SocialFinish {
  /** The state of the attempt, as returned by the provider. */
  state: string;
  /** The authorization code; for OpenID 2.0, the query string of the whole response. */
  code: string;
  redirectUri: string;
  codeVerifier: string;
  nonce: string;
  /** The issuer in the response, if any (RFC 9207). */
  iss?: string;
}

/** An account at a provider, with the provider's claims about the person. */
export interface SocialIdentity {
  /** Never changes and is never reassigned to another account. */
  subject: string;
  email: string | null;
  /** Whether the provider states that the address is verified. */
  emailVerified: boolean;
  /** Whether the provider's word alone proves the mailbox: it issued the address itself and has verified it. */
  emailAuthoritative: boolean;
  displayName: string | null;
  username: string | null;
  photos: string[];
  /** Fields that the provider did not tell this time: what is stored of them stays. */
  untold: readonly UntoldField[];
  /** Null where the protocol has none. Secrets: never logged, stored sealed. */
  tokens: Omit<TokenSet, 'idToken' | 'rest'> | null;
}

/** Of a subject, a name or an address, as where a team states them. */
const MAX_TEXT = 255;
const MAX_PHOTO_URL = 2_048;

/** @throws socialSignInFailed when the vendor names no account */
export function identityOf(person: VendorPerson, tokens: TokenSet | null): SocialIdentity {
  const { subject, emailVerified = false, emailAuthoritative = false, untold = [] } = person;
  const [email, photo] = [kept(person.email), kept(person.photo, MAX_PHOTO_URL)];
  if (typeof subject !== 'string' || subject === '' || subject.length > MAX_TEXT || !isStorable(subject)) {
    throw notConfirmed('profile');
  }
  const isVerified = email !== null && emailVerified;
  return {
    subject,
    email,
    emailVerified: isVerified,
    emailAuthoritative: isVerified && emailAuthoritative,
    displayName: shownName(person.displayName ?? ''),
    username: kept(person.username),
    photos: photo?.startsWith('https://') ? [photo] : [],
    untold,
    tokens: tokens && keptOf(tokens),
  };
}

/** Null for what cannot be stored unmodified: altered, it would be another address or another person's name. */
const kept = (said: string | null | undefined, most = MAX_TEXT): string | null =>
  said && said.length <= most && isStorable(said) ? said : null;

/** Vendors truncate names, sometimes within a character. Names are only displayed, so the remainder is accepted. */
const shownName = (said: string): string | null => cutText(said.replaceAll('\0', ''), MAX_TEXT).toWellFormed() || null;

export const keptOf = ({ accessToken, refreshToken, expiresInSeconds, scope }: TokenSet) => ({
  accessToken,
  refreshToken,
  expiresInSeconds,
  scope,
});
