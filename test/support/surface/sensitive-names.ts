/** Names that must never be accepted in a request unless declared: tenancy, authority, proof and prototypes. */
export const SENSITIVE_NAMES: readonly string[] = [
  ...['environmentId', 'environment_id', 'projectEnvironmentId', 'projectId', 'organizationId', 'organization_id'],
  ...['tenantId', 'userId', 'user_id', 'ownerUserId', 'ownerId', 'createdBy', 'memberId', 'accountId_', 'sub', 'sid'],
  ...['role', 'roles', 'isAdmin', 'admin', 'superuser', 'permissions', 'scope', 'grants', 'audience', 'kind', 'type_'],
  ...['verified', 'verifiedAt', 'verified_at', 'emailVerified', 'isVerified', 'phoneVerifiedAt', 'provenAt'],
  ...['verifiedCredentials', 'lastVerifiedCredentialId', 'signInEnabled', 'sessionId', 'sessions', 'amr', 'lists'],
  ...['password', 'secret', 'rawToken', 'tokenHash', 'checksum', 'expiresAt', 'lastUsedAt', 'sealedSecret'],
  ...['privateKey', 'mnemonic', 'seedId', 'walletProperties', 'derivationPath', 'createdAt', 'updatedAt', 'deletedAt'],
  ...['$where', '$ne', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', ''],
];

/** Those that are refused before any field is looked at, so that the refusal need not name them. */
export const TRIED_SINGLY: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
]);

/** A refusal names fifty fields at most, and a query has no more parameters. */
const MOST_AT_ONCE = 40;

/** The names in as few lists as one request each can hold. */
export function atOnce(names: readonly string[]): string[][] {
  const lists = Math.ceil(names.length / MOST_AT_ONCE);
  return Array.from({ length: lists }, (_, at) => names.slice(at * MOST_AT_ONCE, (at + 1) * MOST_AT_ONCE));
}
