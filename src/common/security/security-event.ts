/**
 * Everything that the security log tells. Names are stable: alarms are made of them. `docs/security-log.md` is made of
 * this file.
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
  /** A refusal is a warning; an act that succeeded is for the record. */
  readonly kind: 'refusal' | 'act';
  readonly means: string;
}

const refusal = (means: string): SecurityEventTerms => ({ kind: 'refusal', means });
const act = (means: string): SecurityEventTerms => ({ kind: 'act', means });

export const SECURITY_EVENTS: Readonly<Record<SecurityEvent, SecurityEventTerms>> = {
  [SecurityEvent.CodeFailed]: refusal('A one-time code, a second factor or a recovery code was wrong.'),
  [SecurityEvent.ProofRefused]: refusal(
    'A signature, a passkey, a token of another service or an answer of a provider did not prove what it was for.',
  ),
  [SecurityEvent.SignInLocked]: refusal('There were too many wrong codes, and more are not looked at for a while.'),
  [SecurityEvent.TokenRefused]: refusal(
    'A credential was sent that does not hold: forged, expired, revoked, or of another environment or kind.',
  ),
  [SecurityEvent.TokenReused]: refusal('A token that had been exchanged came back. Its session was ended.'),
  [SecurityEvent.AuthenticatorCloned]: refusal('The counter of a passkey went back: there may be a copy of it.'),
  [SecurityEvent.TenantCrossed]: refusal('A caller named an environment or organization that it is no part of.'),
  [SecurityEvent.RecordUnknown]: refusal(
    'A member named a record, by its id alone, that none of their tenants has: it does not exist, or is of another tenant.',
  ),
  [SecurityEvent.PermissionRefused]: refusal('A known caller lacks the scope or the role for what it asked.'),
  [SecurityEvent.SiteRefused]: refusal('A browser called with a session cookie, or to connect, from a foreign site.'),
  [SecurityEvent.AccessRefused]: refusal('A gate or an allowlist kept somebody out, or could not decide.'),
  [SecurityEvent.IdentifierAmbiguous]: refusal('An identifier is of several users, and none of them was chosen.'),
  [SecurityEvent.RateLimited]: refusal(
    'A limit on calls, codes, messages, ceremonies or secrets that are handed out was exceeded.',
  ),
  [SecurityEvent.EgressRefused]: refusal('A request of the service itself would have gone to a forbidden address.'),
  [SecurityEvent.SealRefused]: refusal('A sealed secret did not open: altered, or sealed under a key that is gone.'),
  [SecurityEvent.VaultUnavailable]: refusal(
    'The vault that keeps the master keys could not be used, and what needs it was refused.',
  ),
  [SecurityEvent.SignedIn]: act('Somebody signed in.'),
  [SecurityEvent.SessionEnded]: act('A session was ended before its time.'),
  [SecurityEvent.FactorChanged]: act('Second factors or recovery codes of a user were added, used or removed.'),
  [SecurityEvent.WalletLinked]: act('A wallet was attached to a user.'),
  [SecurityEvent.AccountLinked]: act('An account at a provider was attached to a user who was there already.'),
  [SecurityEvent.UsersMerged]: act('Two users became one, or an operator made them two again.'),
  [SecurityEvent.SecretRevealed]: act('A stored secret was shown to somebody who may see it.'),
  [SecurityEvent.SecretChanged]: act(
    'A secret or signing key of what is set up already was added, replaced or removed.',
  ),
  [SecurityEvent.CredentialIssued]: act('An API token or a personal token was made.'),
  [SecurityEvent.CredentialRemoved]: act('An API token or a personal token was deleted.'),
  [SecurityEvent.RoleChanged]: act('Somebody became a member, was given another role, or is no longer a member.'),
  [SecurityEvent.UserDeleted]: act('A user was deleted.'),
};
