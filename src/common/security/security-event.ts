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
    'A signature, a passkey, a token from another service or a provider’s response was not a valid proof.',
  ),
  [SecurityEvent.SignInLocked]: refusal('There were too many wrong codes; further ones are not checked for a while.'),
  [SecurityEvent.TokenRefused]: refusal(
    'An invalid credential was sent: forged, expired, revoked, or of another environment or kind.',
  ),
  [SecurityEvent.TokenReused]: refusal(
    'A token that had already been exchanged was used again. Its session was ended.',
  ),
  [SecurityEvent.AuthenticatorCloned]: refusal('The counter of a passkey went backwards: it may have been cloned.'),
  [SecurityEvent.TenantCrossed]: refusal('A caller named an environment or organization that it does not belong to.'),
  [SecurityEvent.RecordUnknown]: refusal(
    'A member named a record by its id alone, and none of their tenants has it: it does not exist or belongs to another tenant.',
  ),
  [SecurityEvent.PermissionRefused]: refusal('An authenticated caller lacks the required scope or role.'),
  [SecurityEvent.SiteRefused]: refusal(
    'A browser called with a session cookie, or to connect, from a site that is not allowed.',
  ),
  [SecurityEvent.AccessRefused]: refusal('A gate, an allowlist or screening refused someone, or could not decide.'),
  [SecurityEvent.IdentifierAmbiguous]: refusal('An identifier belongs to several users, and none of them was chosen.'),
  [SecurityEvent.RateLimited]: refusal(
    'A limit on calls, codes, messages, ceremonies or released secrets was exceeded.',
  ),
  [SecurityEvent.EgressRefused]: refusal('An outbound request of the service would have gone to a forbidden address.'),
  [SecurityEvent.SealRefused]: refusal(
    'A sealed secret could not be opened: it was altered, or sealed under a key that was removed.',
  ),
  [SecurityEvent.VaultUnavailable]: refusal(
    'The vault that keeps the master keys was unavailable, and calls that need it were refused.',
  ),
  [SecurityEvent.SignedIn]: act('Someone signed in.'),
  [SecurityEvent.SessionEnded]: act('A session was ended before it expired.'),
  [SecurityEvent.FactorChanged]: act('Second factors or recovery codes of a user were added, used or removed.'),
  [SecurityEvent.WalletLinked]: act('A wallet was attached to a user.'),
  [SecurityEvent.AccountLinked]: act('A provider account was linked to an existing user.'),
  [SecurityEvent.UsersMerged]: act('Two users were merged, or an operator undid a merge.'),
  [SecurityEvent.SecretRevealed]: act('A stored secret was shown to someone with permission to see it.'),
  [SecurityEvent.SecretChanged]: act(
    'A secret or signing key of an existing configuration was added, replaced or removed.',
  ),
  [SecurityEvent.CredentialIssued]: act('An API token or a personal token was created.'),
  [SecurityEvent.CredentialRemoved]: act('An API token or a personal token was deleted.'),
  [SecurityEvent.RoleChanged]: act('Someone became a member, was given another role, or was removed as a member.'),
  [SecurityEvent.UserDeleted]: act('A user was deleted.'),
};
