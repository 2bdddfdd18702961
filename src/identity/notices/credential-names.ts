import type { CredentialFormat } from '../vocabulary/users.js';

/** What people call a credential. */
export const CREDENTIAL_NAMES: Readonly<Record<CredentialFormat, string>> = {
  blockchain: 'A wallet',
  email: 'An email address',
  oauth: 'A social account',
  passkey: 'A passkey',
  phoneNumber: 'A phone number',
  externalUser: 'An account of another service',
};
