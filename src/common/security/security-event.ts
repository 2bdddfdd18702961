/**
 * All events of the security log. Names are stable, since alerts use them. `docs/security-log.md` is generated from this
 * file.
 */
export enum SecurityEvent {
  CodeFailed = 'code.failed',
  ProofRefused = 'proof.refused',
  SignInLocked = 'sign-in.locked',
  TokenRefused = 'token.refused',
  TokenReused = 'token.reused',
  AuthenticatorCloned = 'authenticator.cloned',
  TenantCrossed = 'tenant.crossed',
  RecordUnknown = 'record.unknown',
  PermissionRefused = 'permission.refused',
  SiteRefused = 'site.refused',
  AccessRefused = 'access.refused',
  IdentifierAmbiguous = 'identifier.ambiguous',
  RateLimited = 'rate.limited',
  EgressRefused = 'egress.refused',
  SealRefused = 'seal.refused',
  VaultUnavailable = 'vault.unavailable',
  SignedIn = 'sign-in.succeeded',
  SessionEnded = 'session.ended',
  FactorChanged = 'factor.changed',
  WalletLinked = 'wallet.linked',
  AccountLinked = 'account.linked',
  UsersMerged = 'users.merged',
  SecretRevealed = 'secret.revealed',
  SecretChanged = 'secret.changed',
  CredentialIssued = 'credential.issued',
  CredentialRemoved = 'credential.removed',
  RoleChanged = 'role.changed',
  UserDeleted = 'user.deleted',
}

interface SecurityEventTerms {
  /** Refusals are logged as warnings, acts are successful actions logged for the record. */
  readonly kind: 'refusal' | 'act';
  readonly means: string;
}

const refusal = (means: string): SecurityEventTerms => ({ kind: 'refusal', means });
const act = (means: string): SecurityEventTerms => ({ kind: 'act', means });

export const SECURITY_EVENTS: Readonly<Record<SecurityEvent, SecurityEventTerms>> = {
  [SecurityEvent.CodeFailed]: refusal('A one-time code, a second factor or a recovery code was wrong.'),
  [SecurityEvent.ProofRefused]: refusal(
    'A signature, a passkey, a token of another service or a response of a provider failed verification.',
  ),
  [SecurityEvent.SignInLocked]: refusal('There were too many wrong codes, and further ones are refused for a while.'),
  [SecurityEvent.TokenRefused]: refusal(
    'An invalid credential was sent: forged, expired, revoked, or for another environment or purpose.',
  ),
  [SecurityEvent.TokenReused]: refusal('A token was used again after it had been exchanged. Its session was ended.'),
  [SecurityEvent.AuthenticatorCloned]: refusal(
    'The signature counter of a passkey went backwards: it may have been cloned.',
  ),
  [SecurityEvent.TenantCrossed]: refusal('A caller named an environment or organization to which it has no access.'),
  [SecurityEvent.RecordUnknown]: refusal(
    'A member named a record by its id that none of their tenants has: it does not exist, or belongs to another tenant.',
  ),
  [SecurityEvent.PermissionRefused]: refusal('An authenticated caller lacks the required scope or role.'),
  [SecurityEvent.SiteRefused]: refusal(
    'A browser sent a session cookie, or tried to connect, from a site that is not admitted.',
  ),
  [SecurityEvent.AccessRefused]: refusal('A gate or an allowlist denied access, or could not decide.'),
  [SecurityEvent.IdentifierAmbiguous]: refusal('An identifier belongs to several users, so none of them was chosen.'),
  [SecurityEvent.RateLimited]: refusal(
    'A limit on calls, codes, messages, ceremonies or revealed secrets was exceeded.',
  ),
  [SecurityEvent.EgressRefused]: refusal('An outgoing request of the service was blocked because of its address.'),
  [SecurityEvent.SealRefused]: refusal(
    'A sealed secret could not be decrypted: it was altered, or its key is no longer available.',
  ),
  [SecurityEvent.VaultUnavailable]: refusal(
    'The vault with the master keys was unavailable, so a call that needs it was refused.',
  ),
  [SecurityEvent.SignedIn]: act('A user signed in.'),
  [SecurityEvent.SessionEnded]: act('A session was ended before it expired.'),
  [SecurityEvent.FactorChanged]: act('Second factors or recovery codes of a user were added, used or removed.'),
  [SecurityEvent.WalletLinked]: act('A wallet was linked to a user.'),
  [SecurityEvent.AccountLinked]: act('An account at a provider was linked to an existing user.'),
  [SecurityEvent.UsersMerged]: act('Two users were merged, or an operator undid a merge.'),
  [SecurityEvent.SecretRevealed]: act('A stored secret was shown to an authorized caller.'),
  [SecurityEvent.SecretChanged]: act(
    'A secret or signing key of an existing configuration was added, replaced or removed.',
  ),
  [SecurityEvent.CredentialIssued]: act('An API token or a personal token was created.'),
  [SecurityEvent.CredentialRemoved]: act('An API token or a personal token was deleted.'),
  [SecurityEvent.RoleChanged]: act('A member was added, was given another role, or was removed.'),
  [SecurityEvent.UserDeleted]: act('A user was deleted.'),
};
