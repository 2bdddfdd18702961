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
