import type { ClientAuthentication, SecretMethod, TokenSet } from '../../oidc/index.js';
import type { ProviderConfiguration } from '../settings/provider.dto.js';
import type { ProviderType } from '../types/provider-type.js';

export type Json = Readonly<Record<string, unknown>>;

/** The person according to the vendor's response, before any other check. */
export interface VendorPerson {
  /** The immutable identifier of the account. */
  subject: string;
  email?: string | null;
  emailVerified?: boolean;
  /** Whether the vendor is the sole issuer of addresses like this one, so that its word alone proves the mailbox. */
  emailAuthoritative?: boolean;
  displayName?: string | null;
  username?: string | null;
  photo?: string | null;
  /** The fields that a further call should have told, and did not: nothing is known of them, which is not the same as none. */
  untold?: readonly UntoldField[];
}

/** Fields that some vendors tell in a call of their own. */
export type UntoldField = 'email' | 'displayName' | 'photo';

/** The vendor's URLs. `{store}` and `{domain}` stand for fields of the provider. */
export interface VendorAddresses {
  authorize: string;
  token: string;
  profile: string;
  /** Base URL for further calls, without a trailing slash. */
  api?: string;
}

export interface VendorCall {
  configuration: Partial<ProviderConfiguration>;
  tokens: TokenSet;
  addresses: VendorAddresses;
  /** Reads JSON with the access token; null for a non-success status. */
  get: (url: string) => Promise<unknown>;
}

interface Vendor {
  type: ProviderType;
  /** Requested unless the provider configures its own scopes. */
  scopes: string;
  /** `basic` and `post` are also sent the other way, where the vendor's discovery document has only that. */
  authentication: SecretMethod | ((parts: SecretParts) => ClientAuthentication);
  /** Vendor-specific parameters of the authorization URL. */
  extra?: Readonly<Record<string, string>>;
}

export interface SecretParts {
  configuration: Partial<ProviderConfiguration>;
  secret: string;
  now: Date;
}

/** OpenID Connect: a signed id token identifies the account. */
export interface OidcVendor extends Vendor {
  protocol: 'oidc';
  /** `{domain}` stands for that field of the provider. */
  issuer: string;
  /** The authorization endpoint of an issuer, to be shown. Where people are sent is read from the discovery document. */
  page?(issuer: string): string;
  /** For a vendor whose discovery document has no comparable issuer. */
  endpoints?: { authorize: string; token: string; jwks: string; algorithms: readonly string[] };
  /**
   * Whether the address is read with the access token when the id token has none, as the standard leaves it to the
   * provider (OpenID Connect Core 1.0 section 5.4).
   */
  mayTellLater?: true;
  person(claims: Json): VendorPerson;
}

/** OAuth 2.0: the account is read from an endpoint of the vendor. */
export interface OAuthVendor extends Vendor {
  protocol: 'oauth';
  addresses: VendorAddresses;
  /** False for a vendor that rejects PKCE verifiers from servers. */
  pkce?: false;
  /** Headers for calls with the access token. */
  headers?(configuration: Partial<ProviderConfiguration>): Record<string, string>;
  /** Extracts the account from the profile; may call further endpoints. */
  person(profile: Json, call: VendorCall): VendorPerson | Promise<VendorPerson>;
  /** The vendor's name for the `client_id` parameter of the authorization URL. */
  clientIdParameter?: string;
}

/** OpenID Authentication 2.0, which needs no client registration with the vendor. */
export interface OpenId2Vendor {
  protocol: 'openid2';
  type: ProviderType;
  addresses: VendorAddresses;
}

/** Signs users in with its own kind of proof instead of a code, through other operations. */
export interface OwnVendor {
  protocol: 'own';
  type: ProviderType;
}

export type SocialVendor = OidcVendor | OAuthVendor | OpenId2Vendor | OwnVendor;

/** A string in a profile. Some vendors use numbers as ids: beyond 2^53 several ids would be read as one. */
export function text(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
  return typeof value === 'string' && value !== '' ? value : null;
}

/** An object in a profile; empty when absent. */
export const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

export const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : []);

/** A social provider with a registered client, of which the client id and scopes are public. */
export const OAUTH_CLIENT = {
  serves: 'social',
  required: ['clientId'],
  optional: ['scopes'],
  secret: 'required',
  publicFields: ['clientId', 'scopes'],
  destination: ['clientId'],
} as const satisfies Partial<ProviderType>;
