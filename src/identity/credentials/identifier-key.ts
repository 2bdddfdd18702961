import { spellingsOf } from '../../common/addresses/normal-address.js';
import { CHAIN_NAMESPACES, storedNamesOf, type Chain } from '../vocabulary/chains.js';
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

/** An identifier by which a caller refers to a user. */
export interface Identifier {
  kind: IdentifierKind;
  value: string;
  /** The provider of a social identifier. */
  provider?: string;
  /** The connection that an account id belongs to; absent for providers with a single instance. */
  connection?: string;
  /** The country of a phone number in national format. */
  country?: PhoneCountry;
  /** The chain of a wallet's address. */
  chain?: Chain;
  /** The issuer of a foreign token's subject. */
  issuer?: string;
  /** Whether the environment trusts that issuer: only then is the subject the team's own id for the user. */
  isTrusted?: boolean;
}

/** The kinds that can be claimed; an `id` already names its user. */
export type ClaimableIdentifier = Identifier & { kind: IdentifierKey['kind'] };

/** Profile fields that follow from an identifier. */
export interface IdentifierProfile {
  email?: string;
  phoneNumber?: string;
  externalUserId?: string;
}

/** A normalised identifier, comparable for equality, and what a new user gets from it. */
export interface IdentifierKey {
  kind: Exclude<IdentifierKind, 'id'>;
  identifier: string;
  /** The spellings under which a stored credential may match. */
  spellings: readonly string[];
  /** The values of `chain` under which a stored wallet may match. */
  chains: readonly string[];
  /** Whether it can ever prove an identity. */
  canBeProven: boolean;
  credential: NewCredential;
  profile: IdentifierProfile;
  /** Whether a user's credential is this identifier. */
  matches(credential: VerifiedCredential): boolean;
}

type Kind<K extends IdentifierKey['kind']> = Identifier & { kind: K };

/** @throws ApiError 422 `invalid_email`, `invalid_phone` or `invalid_user` if the value is malformed for its kind */
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

/**
 * The user id in the customer's own sign-in: alone, or as the subject of the issuer that the environment trusts. A
 * subject of any other issuer (RFC 7519 §4.1.2) goes by both, since it may look like the id of another person.
 */
function subjectKey({
  kind,
  value,
  issuer,
  isTrusted = false,
}: Kind<'externalUserId' | 'foreignSubject'>): IdentifierKey {
  if (value === '' || (kind === 'foreignSubject' && !issuer)) throw invalidUser();
  const subject = `${issuer} ${value}`;
  const isOwn = kind === 'externalUserId' || isTrusted;
  const publicIdentifier = isOwn ? value : subject;
  return {
    ...plain,
    kind,
    identifier: kind === 'foreignSubject' ? subject : value,
    spellings: [publicIdentifier],
    credential: { format: 'externalUser', publicIdentifier },
    profile: isOwn ? { externalUserId: value } : {},
    matches: ({ format, public_identifier: known }) => format === 'externalUser' && known === publicIdentifier,
  };
}

function walletKey({ value, chain }: Kind<'wallet'>): IdentifierKey {
  if (!chain || value === '') throw invalidUser({ hint: 'Give the chain beside an address.' });
  const namespace = CHAIN_NAMESPACES[chain];
  const spellings = spellingsOf(namespace, value);
  const [normal] = spellings;
  const chains = storedNamesOf(chain);
  return {
    ...plain,
    kind: 'wallet',
    identifier: `${namespace}:${normal}`,
    spellings,
    chains,
    credential: { format: 'blockchain', address: value, chain, publicIdentifier: value },
    // As the statements do that find its users: what one of them finds and this does not would be let in unchecked.
    matches: ({ format, address = '', chain: known }) =>
      format === 'blockchain' &&
      [address, address.toLowerCase()].some((one) => spellings.includes(one)) &&
      chains.includes(known ?? ''),
  };
}

/** A passkey by its credential id (WebAuthn §5.8.3). The method finds the stored credential by its row. */
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
    matches: ({ format, oauth_provider: of, oauth_account_id: id, oauth_connection_id: at }) =>
      format === 'oauth' && of === provider && id === value && at === connection,
  };
}
