import type { IdentifierKind } from '../credentials/identifiers.js';

/** What a signed-in user wants to do with a credential. */
export const INTENTS = ['link', 'transfer', 'unlink'] as const;
export type Intent = (typeof INTENTS)[number];

/** Kinds of credentials that a user can present or remove. */
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

/** How a newly proven credential relates to the environment's users, as seen by the user who presents it. */
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

/** How a credential relates to the user who wants to remove it. */
export const HOLDINGS = ['unknown', 'own', 'own-last', 'own-unproven', 'own-embedded'] as const;
export type Holding = (typeof HOLDINGS)[number];

/** The outcome. Values with an underscore are error codes. */
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

/** Kinds whose proof shows that the caller is the person behind the other account, so that the two may be merged. */
const TELLS_PERSON: ReadonlySet<CredentialKind> = new Set(['email', 'phoneNumber', 'socialAccountId', 'wallet']);

const TAKEN: Partial<Record<CredentialKind, Decision>> = {
  email: 'email_already_exists',
  socialAccountId: 'social_account_already_exists',
  // A registration proves a new key, and nothing about one already registered.
  passkey: 'passkey_already_registered',
};
const takenBy = (kind: CredentialKind): Decision => TAKEN[kind] ?? 'credential_already_linked';

/** A proven credential to be linked to the caller. */
export function decideLink(kind: CredentialKind, holder: Holder): Decision {
  switch (holder) {
    // An API call's assertion about another user gives way to proof.
    case 'nobody':
    case 'caller-unproven':
    case 'stated':
      return 'tie';
    case 'caller':
      return kind === 'passkey' ? 'passkey_already_registered' : 'keep';
    // Linking would make these wallets inaccessible, and they cannot become the caller's: their keys are sealed to that
    // user. Passkeys are never asserted by API calls.
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
    // A single factor must not bypass a second one, and members of organizations are never merged or moved.
    case 'other-guarded':
      return kind === 'wallet' ? 'reassign_wallet_error' : takenBy(kind);
  }
}

/**
 * A newly proven wallet to be moved from its owner to the caller.
 * @param leavesNobody whether the caller wants it even if the owner could no longer sign in
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

/** A credential to be removed from the caller. */
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

/** Only wallets can be embedded. */
const occurs = (kind: CredentialKind, holder: Holder | Holding): boolean =>
  kind === 'wallet' || !['embedded', 'caller-embedded', 'own-embedded'].includes(holder);

/** Every possible case, as shown in `docs/linking.md`. */
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
