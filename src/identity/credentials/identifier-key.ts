import { CHAIN_NAMESPACES, ignoresCase, storedNamesOf, type Chain } from '../vocabulary/chains.js';
import { invalidEmail, invalidPhone, invalidUser } from './identifier.errors.js';
import {
  normaliseEmail,
  normalisePhone,
  socialAccountKey,
  socialUsernameKey,
  type IdentifierKind,
  type PhoneCountry,
} from './identifiers.js';
import type { NewCredential } from './new-credential.js';
import type { VerifiedCredential } from './verified-credential.dto.js';

/** What a caller knows a user by. */
export interface Identifier {
  kind: IdentifierKind;
  value: string;
  /** The provider of a social identifier. */
  provider?: string;
  /** Which of several set-ups of the provider an account id is of; absent where the provider is one for everybody. */
  connection?: string;
  /** The country of a phone number without a plus sign. */
  country?: PhoneCountry;
  /** The chain of a wallet's address. */
  chain?: Chain;
  /** Who says so of the subject of a foreign token. */
  issuer?: string;
}

/** The kinds that can be claimed; an id is a user's already. */
export type ClaimableIdentifier = Identifier & { kind: IdentifierKey['kind'] };

/** What an identifier tells about the user's profile. */
export interface IdentifierProfile {
  email?: string;
  phoneNumber?: string;
  externalUserId?: string;
}

/** An identifier in the form in which equal means the same user, and what a new user of it is given. */
export interface IdentifierKey {
  kind: Exclude<IdentifierKind, 'id'>;
  identifier: string;
  /** The texts under which a stored credential may be it. */
  spellings: readonly string[];
  /** The values of `chain` under which a stored wallet may be it. */
  chains: readonly string[];
  /** Whether it can ever be proof of who somebody is. */
  canBeProven: boolean;
  credential: NewCredential;
  profile: IdentifierProfile;
  /** Whether a credential of a user is this identifier. */
  matches(credential: VerifiedCredential): boolean;
}

type Kind<K extends IdentifierKey['kind']> = Identifier & { kind: K };

/** @throws ApiError 422 `invalid_email`, `invalid_phone` or `invalid_user` when the value cannot be such an identifier */
export function identifierKeyOf(given: ClaimableIdentifier): IdentifierKey {
  const { kind, value } = given;
  switch (kind) {
    case 'email':
      return emailKey(value);
    case 'phoneNumber':
      return phoneKey(value, given.country);
    case 'externalUserId':
    case 'foreignSubject':
      return subjectKey({ ...given, kind });
    case 'wallet':
      return walletKey({ ...given, kind });
    case 'passkey':
      return passkeyKey(value);
    case 'socialAccountId':
    case 'socialUsername':
      return socialKey({ ...given, kind });
  }
}

const plain = { spellings: [], chains: [], canBeProven: true, profile: {} };

function emailKey(value: string): IdentifierKey {
  const email = normaliseEmail(value);
  if (!email) throw invalidEmail();
  const given = value.trim().normalize('NFC');
  return {
    ...plain,
    kind: 'email',
    identifier: email.normal,
    spellings: email.spellings,
    credential: { format: 'email', email: given, publicIdentifier: given },
    profile: { email: given },
    matches: ({ format, email: known }) => format === 'email' && normaliseEmail(known ?? '')?.normal === email.normal,
  };
}

function phoneKey(value: string, country?: PhoneCountry): IdentifierKey {
  const phone = normalisePhone(value, country);
  if (!phone) throw invalidPhone();
  return {
    ...plain,
    kind: 'phoneNumber',
    identifier: phone.e164,
    spellings: [phone.e164],
    credential: {
      format: 'phoneNumber',
      publicIdentifier: phone.e164,
      phoneNumber: phone.national,
      phoneCountryCode: phone.countryCode,
      isoCountryCode: phone.isoCountryCode,
    },
    profile: { phoneNumber: phone.e164 },
    matches: ({ format, public_identifier: known }) => format === 'phoneNumber' && known === phone.e164,
  };
}

/** The id a team's own sign-in knows the user by: alone, or as the subject of an issuer (RFC 7519 §4.1.2). */
function subjectKey({ kind, value, issuer }: Kind<'externalUserId' | 'foreignSubject'>): IdentifierKey {
  if (value === '' || (kind === 'foreignSubject' && !issuer)) throw invalidUser();
  return {
    ...plain,
    kind,
    identifier: kind === 'foreignSubject' ? `${issuer} ${value}` : value,
    spellings: [value],
    credential: { format: 'externalUser', publicIdentifier: value },
    profile: { externalUserId: value },
    matches: ({ format, public_identifier: known }) => format === 'externalUser' && known === value,
  };
}

function walletKey({ value, chain }: Kind<'wallet'>): IdentifierKey {
  if (!chain || value === '') throw invalidUser({ hint: 'Give the chain beside an address.' });
  const namespace = CHAIN_NAMESPACES[chain];
  const normal = (address: string): string => (ignoresCase(namespace) ? address.toLowerCase() : address);
  const chains = storedNamesOf(chain);
  return {
    ...plain,
    kind: 'wallet',
    identifier: `${namespace}:${normal(value)}`,
    spellings: [normal(value)],
    chains,
    credential: { format: 'blockchain', address: value, chain, publicIdentifier: value },
    matches: ({ format, address, chain: known }) =>
      format === 'blockchain' && normal(address ?? '') === normal(value) && chains.includes(known ?? ''),
  };
}

/** A passkey by the id of its public key (WebAuthn §5.8.3). Which credential it is, the method knows by its row. */
function passkeyKey(value: string): IdentifierKey {
  if (value === '') throw invalidUser();
  return {
    ...plain,
    kind: 'passkey',
    identifier: value,
    spellings: [value],
    credential: { format: 'passkey', publicIdentifier: value },
    matches: ({ format, public_identifier: known }) => format === 'passkey' && known === value,
  };
}

function socialKey({ kind, value, provider, connection }: Kind<'socialAccountId' | 'socialUsername'>): IdentifierKey {
  if (!provider || value === '') throw invalidUser({ hint: 'Give socialProvider beside a social identifier.' });
  const credential = { format: 'oauth', oauthProvider: provider, publicIdentifier: value } as const;
  if (kind === 'socialUsername') {
    return {
      ...plain,
      kind,
      identifier: socialUsernameKey(provider, value),
      canBeProven: false,
      credential: { ...credential, oauthUsername: value },
      matches: () => false,
    };
  }
  return {
    ...plain,
    kind,
    identifier: socialAccountKey(provider, value, connection),
    credential: { ...credential, oauthAccountId: value, ...(connection && { oauthConnectionId: connection }) },
    matches: ({ format, oauth_provider: of, oauth_account_id: id }) =>
      format === 'oauth' && of === provider && id === value,
  };
}
