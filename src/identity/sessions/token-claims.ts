import { createHash } from 'node:crypto';
import { lastVerifiedOf } from '../credentials/last-verified.js';
import { provenAt } from './proven-at.js';
import type { Session } from './session.entity.js';
import { accountClaims, type TokenWallet } from './token-account.js';

/** The user in tokens: the user's fields as the API shows them. */
export interface TokenSubject {
  id: string;
  lastVerifiedCredentialId?: string | null;
  verifiedCredentials: readonly TokenWallet[];
  email?: string | null;
  username?: string | null;
  alias?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  jobTitle?: string | null;
  phoneNumber?: string | null;
  tShirtSize?: string | null;
  team?: string | null;
  country?: string | null;
  policiesConsent?: boolean | null;
  btcWallet?: string | null;
  kdaWallet?: string | null;
  ltcWallet?: string | null;
  ckbWallet?: string | null;
  kasWallet?: string | null;
  dogeWallet?: string | null;
  emailNotification?: boolean | null;
  discordNotification?: boolean | null;
  newsletterNotification?: boolean | null;
  firstVisit?: Date | null;
  lastVisit?: Date | null;
  newUser?: boolean;
  metadata?: object | null;
  missingFields?: readonly object[] | null;
}

export interface ClaimsInput {
  session: Session;
  user: TokenSubject;
  /** Space-separated permissions (RFC 8693 §4.2). */
  scope: string;
  lists: readonly string[];
  issuer: string;
  /** `aud` of a session that began outside a browser. */
  defaultAudience: string;
  /** Id of the signing key; repeated as a claim for clients that read it there. */
  kid: string;
}

export type Claims = Record<string, unknown>;

/** Token issuer of an environment: API host, slash, environment id. Not a URL to fetch. */
export const issuerOf = (publicUrl: string, environmentId: string): string =>
  `${new URL(publicUrl).host}/${environmentId}`;

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

/** Drops absent values, so that equal facts give equal tokens. */
const present = (claims: Claims): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined && value !== null));

/** SHA-256 in hex over the sorted credential ids of each format: reveals that credentials changed, not which exist. */
export function credentialHashes(credentials: TokenSubject['verifiedCredentials']): Record<string, string> {
  const ids = new Map<string, string[]>();
  for (const { id, format } of credentials) ids.set(format, [...(ids.get(format) ?? []), id]);
  const sorted = [...ids].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([format, list]) => [format, createHash('sha256').update(list.sort().join('')).digest('hex')]),
  );
}

/** The minified token, which authenticates the session. It identifies no person: no email, name, number or address. */
export function minifiedClaims(input: ClaimsInput): Claims {
  const { session, user, scope, issuer, defaultAudience, kid } = input;
  return present({
    kid,
    aud: session.audience ?? defaultAudience,
    iss: issuer,
    sub: session.userId,
    sid: session.id,
    jti: session.tokenId,
    environment_id: session.environmentId,
    iat: seconds(session.tokenIssuedAt),
    exp: seconds(session.tokenExpiresAt),
    auth_time: seconds(provenAt(session)),
    amr: session.amr,
    scope,
    last_verified_credential_id:
      lastVerifiedOf(user.verifiedCredentials, [user.lastVerifiedCredentialId, session.credentialId]) ??
      session.credentialId,
    verifiedCredentialsHashes: credentialHashes(user.verifiedCredentials),
    session_public_key: session.sessionPublicKey,
  });
}

/** Options and patterns can be long, and a token must fit into a header; the user in the response has them. */
const withoutRules = (field: object): object => ({ ...field, validationRules: undefined });

/** The full token: the minified one plus what the environment knows about the user. */
export function fullClaims(input: ClaimsInput): Claims {
  const { user, lists } = input;
  const minified = minifiedClaims(input);
  return present({
    ...minified,
    email: user.email,
    username: user.username,
    alias: user.alias,
    given_name: user.firstName,
    family_name: user.lastName,
    job_title: user.jobTitle,
    phone_number: user.phoneNumber,
    t_shirt_size: user.tShirtSize,
    team: user.team,
    country: user.country,
    policies_consent: user.policiesConsent,
    btc_wallet: user.btcWallet,
    kda_wallet: user.kdaWallet,
    ltc_wallet: user.ltcWallet,
    ckb_wallet: user.ckbWallet,
    kas_wallet: user.kasWallet,
    doge_wallet: user.dogeWallet,
    email_notification: user.emailNotification,
    discord_notification: user.discordNotification,
    newsletter_notification: user.newsletterNotification,
    first_visit: user.firstVisit,
    last_visit: user.lastVisit,
    new_user: user.newUser ?? false,
    metadata: user.metadata,
    missing_fields: (user.missingFields ?? []).map(withoutRules),
    verified_credentials: user.verifiedCredentials.map((credential) => present({ ...credential })),
    ...accountClaims(user.verifiedCredentials, minified['last_verified_credential_id'] as string | null),
    lists,
  });
}
