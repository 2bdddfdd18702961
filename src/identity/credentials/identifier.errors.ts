import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const invalidUser = defineError({
  code: 'invalid_user',
  status: 422,
  message: 'No user matches this identifier.',
  hint: 'Check the identifier, its type, and that the user belongs to this environment.',
  cause: 'A user was named by an id that does not exist here, or by an identifier that lacks its provider or value.',
  fix: 'Read the id from a list of users of the same environment; give `socialProvider` with a social identifier.',
});

export const ambiguousIdentifier = defineError({
  code: 'ambiguous_identifier',
  status: 422,
  security: SecurityEvent.IdentifierAmbiguous,
  message: 'Several users of this environment have this identifier.',
  hint: 'Merge them with `users merge`, or remove the identifier from all but one. The service does not guess.',
  cause: 'API calls assigned the same email or social account to more than one user, so it is ambiguous.',
  fix: 'List the users with the identifier, then delete or correct those that should not have it. If they are the same person, an operator can merge them with `npm run cli -- users merge`.',
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
  hint: 'Use the international format with a plus sign, or send the country code as well.',
  cause: 'The number does not exist in the numbering plan of its country, or no country is given.',
  fix: 'Send the number as E.164, such as +41446681800.',
});

export const embeddedWalletProvesNobody = defineError({
  code: 'embedded_wallet_proves_nobody',
  status: 422,
  message: 'The service holds the key of this wallet, so its signature does not prove who you are.',
  hint: 'Sign in the way you did when you created the wallet, or with another wallet.',
  cause:
    'It is an embedded wallet of the environment, hidden or not. It signs for anyone with a session of its user, so a signature proves no more than that session: it cannot open another session, and is not a fresh proof.',
  fix: 'Sign in with an email, a passkey or any other credential that the user has proven. An exported wallet can be used to sign in once it is deleted here.',
});
