import { invalidEmail, invalidPhone, invalidUser } from '../users/user.errors.js';
import type { StoredProfile } from '../users/profile-columns.js';
import {
  normaliseEmail,
  normalisePhone,
  socialAccountKey,
  socialUsernameKey,
  type IdentifierKind,
  type PhoneCountry,
} from './identifiers.js';
import type { NewCredential } from './new-credential.js';

/** What a caller knows a user by. */
export interface Identifier {
  kind: IdentifierKind;
  value: string;
  /** The provider of a social identifier. */
  provider?: string;
  /** The country of a phone number without a plus sign. */
  country?: PhoneCountry;
}

/** An identifier in the form in which equal means the same user, and what a new user of it is given. */
export interface IdentifierKey {
  kind: Exclude<IdentifierKind, 'id'>;
  identifier: string;
  /** The texts under which a stored credential may be it. */
  spellings: readonly string[];
  /** Whether it can ever be proof of who somebody is. */
  canBeProven: boolean;
  credential: NewCredential;
  profile: StoredProfile;
}

/** @throws ApiError 422 `invalid_email`, `invalid_phone` or `invalid_user` when the value cannot be such an identifier */
export function identifierKeyOf({
  kind,
  value,
  provider,
  country,
}: Identifier & { kind: IdentifierKey['kind'] }): IdentifierKey {
  switch (kind) {
    case 'email':
      return emailKey(value);
    case 'phoneNumber':
      return phoneKey(value, country);
    case 'externalUserId':
      if (value === '') throw invalidUser();
      return {
        kind,
        identifier: value,
        spellings: [value],
        canBeProven: true,
        credential: { format: 'externalUser', publicIdentifier: value },
        profile: { externalUserId: value },
      };
    case 'socialAccountId':
    case 'socialUsername':
      if (!provider || value === '') throw invalidUser({ hint: 'Give socialProvider beside a social identifier.' });
      return kind === 'socialAccountId' ? accountKey(provider, value) : usernameKey(provider, value);
  }
}

function emailKey(value: string): IdentifierKey {
  const email = normaliseEmail(value);
  if (!email) throw invalidEmail();
  const given = value.trim();
  return {
    kind: 'email',
    identifier: email.normal,
    spellings: email.spellings,
    canBeProven: true,
    credential: { format: 'email', email: given, publicIdentifier: given },
    profile: { email: given },
  };
}

function phoneKey(value: string, country?: PhoneCountry): IdentifierKey {
  const phone = normalisePhone(value, country);
  if (!phone) throw invalidPhone();
  return {
    kind: 'phoneNumber',
    identifier: phone.e164,
    spellings: [phone.e164],
    canBeProven: true,
    credential: {
      format: 'phoneNumber',
      publicIdentifier: phone.e164,
      phoneNumber: phone.national,
      phoneCountryCode: phone.countryCode,
      isoCountryCode: phone.isoCountryCode,
    },
    profile: { phoneNumber: phone.e164 },
  };
}

const accountKey = (provider: string, accountId: string): IdentifierKey => ({
  kind: 'socialAccountId',
  identifier: socialAccountKey(provider, accountId),
  spellings: [],
  canBeProven: true,
  credential: { format: 'oauth', oauthProvider: provider, oauthAccountId: accountId, publicIdentifier: accountId },
  profile: {},
});

const usernameKey = (provider: string, username: string): IdentifierKey => ({
  kind: 'socialUsername',
  identifier: socialUsernameKey(provider, username),
  spellings: [],
  canBeProven: false,
  credential: { format: 'oauth', oauthProvider: provider, oauthUsername: username, publicIdentifier: username },
  profile: {},
});
