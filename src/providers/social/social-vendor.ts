import type { ClientAuthentication, TokenSet } from '../../oidc/index.js';
import type { ProviderConfiguration } from '../settings/provider.dto.js';
import type { ProviderType } from '../types/provider-type.js';

export type Json = Readonly<Record<string, unknown>>;

/** Whom a vendor says it has signed in, before anybody else is asked. */
export interface VendorPerson {
  /** What never changes about the account. */
  subject: string;
  email?: string | null;
  emailVerified?: boolean;
  /** Whether nobody but the vendor gives out addresses like this one, so that its word alone proves the mailbox. */
  emailAuthoritative?: boolean;
  displayName?: string | null;
  username?: string | null;
  photo?: string | null;
}

/** Where a vendor is. `{store}` and `{domain}` stand for fields of the provider. */
export interface VendorAddresses {
  authorize: string;
  token: string;
  profile: string;
  /** Base of further calls, without a slash at the end. */
  api?: string;
}

export interface VendorCall {
  configuration: Partial<ProviderConfiguration>;
  tokens: TokenSet;
  addresses: VendorAddresses;
  /** Reads JSON with the access token; null where the vendor answers with another status. */
  get: (url: string) => Promise<unknown>;
}

interface Vendor {
  type: ProviderType;
  /** Asked for unless the provider has scopes of its own. */
  scopes: string;
  authentication: 'basic' | 'post' | ((parts: SecretParts) => ClientAuthentication);
  /** Parameters of the vendor's own in the address of its sign-in page. */
  extra?: Readonly<Record<string, string>>;
}

export interface SecretParts {
  configuration: Partial<ProviderConfiguration>;
  secret: string;
  now: Date;
}

/** Speaks OpenID Connect: who signed in stands in a signed token. */
export interface OidcVendor extends Vendor {
  protocol: 'oidc';
  /** `{domain}` stands for that field of the provider. */
  issuer: string;
  /** For a vendor whose configuration names no issuer that could be compared. */
  endpoints?: { authorize: string; token: string; jwks: string; algorithms: readonly string[] };
  person(claims: Json): VendorPerson;
}

/** Speaks OAuth 2.0: who signed in is read from an address of the vendor. */
export interface OAuthVendor extends Vendor {
  protocol: 'oauth';
  addresses: VendorAddresses;
  /** False for a vendor that refuses a verifier from servers. */
  pkce?: false;
  /** Headers for calls with the access token. */
  headers?(configuration: Partial<ProviderConfiguration>): Record<string, string>;
  /** Where the account stands in the profile; more may be read. */
  person(profile: Json, call: VendorCall): VendorPerson | Promise<VendorPerson>;
  /** Another name for `client_id` in the address of the sign-in page. */
  clientIdParameter?: string;
}

/** OpenID Authentication 2.0, without a client of ours at the vendor. */
export interface OpenId2Vendor {
  protocol: 'openid2';
  type: ProviderType;
  addresses: VendorAddresses;
}

/** Signs people in by a proof of its own, not by a code: other operations take it. */
export interface OwnVendor {
  protocol: 'own';
  type: ProviderType;
}

export type SocialVendor = OidcVendor | OAuthVendor | OpenId2Vendor | OwnVendor;

/** A text of a profile; numbers are ids of some vendors. */
export const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

/** An object within a profile; empty where there is none. */
export const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

export const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : []);

/** A social provider with a client at the vendor: what is public about it is the client id and what is asked for. */
export const OAUTH_CLIENT = {
  serves: 'social',
  required: ['clientId'],
  optional: ['scopes'],
  secret: 'required',
  publicFields: ['clientId', 'scopes'],
  destination: ['clientId'],
} as const satisfies Partial<ProviderType>;
