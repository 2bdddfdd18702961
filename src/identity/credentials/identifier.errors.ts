import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const invalidUser = defineError({
  code: 'invalid_user',
  status: 422,
  message: 'The identifier names no user.',
  hint: 'Check the identifier, its type, and that the user belongs to this environment.',
  cause: 'A user was named by an id that does not exist here, or by an identifier that lacks its provider or value.',
  fix: 'Read the id from a list of users of the same environment; give `socialProvider` with a social identifier.',
});

export const ambiguousIdentifier = defineError({
  code: 'ambiguous_identifier',
  status: 422,
  security: SecurityEvent.IdentifierAmbiguous,
  message: 'Several users of this environment have this identifier.',
  hint: 'Make one user of them with `users merge`, or remove the identifier from all but one; none is chosen by guess.',
  cause: 'API calls gave the same email or social account to more than one user, so it tells nobody apart.',
  fix: 'List the users by the identifier, then delete or correct the ones that should not have it. Where they are one person, an operator makes one user of two with `npm run cli -- users merge`.',
});

export const invalidEmail = defineError({
  code: 'invalid_email',
  status: 422,
  message: 'This is not an email address.',
  hint: 'Use the form name@example.com.',
  cause: 'The text is not an address with a domain.',
  fix: 'Correct the address.',
});

export const invalidPhone = defineError({
  code: 'invalid_phone',
  status: 422,
  message: 'This is not a phone number.',
  hint: 'Use the international form with a plus sign, or give the country code beside the number.',
  cause: 'The number does not exist in the numbering plan of its country, or no country is given.',
  fix: 'Send the number as E.164, such as +41446681800.',
});

export const embeddedWalletProvesNobody = defineError({
  code: 'embedded_wallet_proves_nobody',
  status: 422,
  message: 'The service keeps the key of this wallet, so its signature proves nobody.',
  hint: 'Sign in in the way in which the wallet was made, or with another wallet.',
  cause:
    'It is an embedded wallet of the environment, hidden or not. It signs for whoever has a session of its user, so a signature says no more than that session did: it opens no other one, and is no fresh proof.',
  fix: 'Sign in by email, passkey or whatever the user has proven. A wallet that was exported proves its owner once it is deleted here.',
});
