import type { IdentifierKind } from '../credentials/identifiers.js';

/** What the user who is signed in wants to do with a credential. */
export const INTENTS = ['link', 'transfer', 'unlink'] as const;
export type Intent = (typeof INTENTS)[number];

/** Kinds of credentials that a user can show, or have removed. */
export const KINDS = [
  'email',
  'phoneNumber',
  'socialAccountId',
  'wallet',
  'passkey',
  'externalUserId',
  'foreignSubject',
] as const satisfies readonly IdentifierKind[];
export type CredentialKind = (typeof KINDS)[number];

/** How a credential that was just proven stands to the users of the environment, seen by the one who shows it. */
export const HOLDERS = [
  'nobody',
  'caller',
  'caller-unproven',
  'stated',
  'stated-embedded',
  'embedded',
  'caller-embedded',
  'other',
  'other-last',
  'other-blocked',
  'other-guarded',
] as const;
export type Holder = (typeof HOLDERS)[number];

/** How a credential stands to the user who wants to be rid of it. */
export const HOLDINGS = ['unknown', 'own', 'own-last', 'own-unproven', 'own-embedded'] as const;
export type Holding = (typeof HOLDINGS)[number];

/** What becomes of it. Those with an underscore are codes of errors. */
export type Decision =
  | 'keep'
  | 'tie'
  | 'move'
  | 'remove'
  | 'reassign_wallet_confirm'
  | 'reassign_wallet_error'
  | 'merge_accounts_confirmation'
  | 'embedded_wallet_address_already_linked'
  | 'embedded_wallet_proves_nobody'
  | 'blocked_user_cannot_transfer_wallet'
  | 'email_already_exists'
  | 'social_account_already_exists'
  | 'credential_already_linked'
  | 'passkey_already_registered'
  | 'cannot_delete_last_sign_in_verified_credential'
  | 'forbidden_unlink_request'
  | 'invalid_unlink_request';

/** Kinds whose proof shows that the caller is the person behind the other account, so that the two may become one. */
const TELLS_PERSON: ReadonlySet<CredentialKind> = new Set(['email', 'phoneNumber', 'socialAccountId', 'wallet']);

const TAKEN: Partial<Record<CredentialKind, Decision>> = {
  email: 'email_already_exists',
  socialAccountId: 'social_account_already_exists',
  // A registration proves a new key, and nothing about one that somebody has registered.
  passkey: 'passkey_already_registered',
};
const takenBy = (kind: CredentialKind): Decision => TAKEN[kind] ?? 'credential_already_linked';

/** A proven credential is to become one of the caller's. */
export function decideLink(kind: CredentialKind, holder: Holder): Decision {
  switch (holder) {
    // What an API call said of somebody gives way to proof.
    case 'nobody':
    case 'caller-unproven':
    case 'stated':
      return 'tie';
    case 'caller':
      return kind === 'passkey' ? 'passkey_already_registered' : 'keep';
    // Nobody would come to these wallets any more, and they cannot be the caller's: their keys are sealed to that user. Of
    // a passkey no API call says whose it is.
    case 'stated-embedded':
      return kind === 'passkey' ? 'tie' : takenBy(kind);
    case 'embedded':
      return kind === 'wallet' ? 'embedded_wallet_address_already_linked' : takenBy(kind);
    case 'caller-embedded':
      return kind === 'wallet' ? 'embedded_wallet_proves_nobody' : takenBy(kind);
    case 'other':
      if (kind === 'wallet') return 'reassign_wallet_confirm';
      return TELLS_PERSON.has(kind) ? 'merge_accounts_confirmation' : takenBy(kind);
    case 'other-last':
      return TELLS_PERSON.has(kind) ? 'merge_accounts_confirmation' : takenBy(kind);
    case 'other-blocked':
      return kind === 'wallet' ? 'blocked_user_cannot_transfer_wallet' : takenBy(kind);
    // One factor does not undo what a second step protects; and who is a member of organizations stays who they are.
    case 'other-guarded':
      return kind === 'wallet' ? 'reassign_wallet_error' : takenBy(kind);
  }
}

/**
 * A wallet that was just proven is to leave its owner and become the caller's.
 * @param leavesNobody whether the caller wants it though the owner could not sign in any more
 */
export function decideTransfer(holder: Holder, leavesNobody: boolean): Decision {
  switch (holder) {
    case 'other':
      return 'move';
    case 'other-last':
      return leavesNobody ? 'move' : 'merge_accounts_confirmation';
    case 'nobody':
    case 'caller-unproven':
    case 'stated':
    case 'stated-embedded':
    case 'caller':
      return 'reassign_wallet_error';
    default:
      return decideLink('wallet', holder);
  }
}

/** A credential is to be taken from the caller. */
export function decideUnlink(holding: Holding): Decision {
  switch (holding) {
    case 'unknown':
      return 'invalid_unlink_request';
    case 'own-embedded':
      return 'forbidden_unlink_request';
    case 'own-last':
      return 'cannot_delete_last_sign_in_verified_credential';
    case 'own':
    case 'own-unproven':
      return 'remove';
  }
}

export interface DecisionRow {
  intent: Intent;
  kind: CredentialKind;
  holder: Holder | Holding;
  decision: Decision;
}

/** Only wallets are embedded in an account. */
const occurs = (kind: CredentialKind, holder: Holder | Holding): boolean =>
  kind === 'wallet' || !['embedded', 'caller-embedded', 'own-embedded'].includes(holder);

/** Every case there is; `docs/linking.md` shows it. */
export function decisionRows(): DecisionRow[] {
  const links = KINDS.flatMap((kind) =>
    HOLDERS.map((holder): DecisionRow => ({ intent: 'link', kind, holder, decision: decideLink(kind, holder) })),
  );
  const transfers = HOLDERS.map((holder): DecisionRow => {
    return { intent: 'transfer', kind: 'wallet', holder, decision: decideTransfer(holder, false) };
  });
  const unlinks = KINDS.flatMap((kind) =>
    HOLDINGS.map((holder): DecisionRow => ({ intent: 'unlink', kind, holder, decision: decideUnlink(holder) })),
  );
  return [...links, ...transfers, ...unlinks].filter(({ kind, holder }) => occurs(kind, holder));
}
