import { Injectable } from '@nestjs/common';
import { MergingPart, merges, type MergedTable } from '../database/index.js';
import { ConnectionRow } from './global-wallet/connection.entity.js';
import { SigningPolicyPastTotal } from './policies/policy.entity.js';
import { Wallet } from './record/wallet.entity.js';
import { WalletPasskeyRecovery } from './recovery/passkey-recovery.entity.js';
import { WalletRecoveryEmail } from './recovery/recovery-email.entity.js';
import { WalletSessionKey } from './requests/session-key.entity.js';

export const WALLETS_MERGED: readonly MergedTable[] = [
  merges(Wallet, {
    subject: 'userId',
    fate: 'settled',
    what: 'wallets',
    why: 'external ones are the remaining user’s; whoever has an embedded one, hidden or not, or the keys of a deleted one, is not merged away: keys are sealed to the user',
  }),
  merges(ConnectionRow, {
    subject: 'userId',
    fate: 'ended',
    what: 'connections of global wallets',
    why: 'consent was given by one user to one application',
  }),
  merges(WalletSessionKey, {
    subject: 'userId',
    fate: 'ended',
    what: 'keys that stamp requests of sessions',
    why: 'they end with the sessions',
  }),
  merges(WalletPasskeyRecovery, {
    subject: 'userId',
    fate: 'ended',
    what: 'passkeys that were being replaced',
    why: 'good for minutes',
  }),
  merges(SigningPolicyPastTotal, {
    subject: 'userId',
    fate: 'kept',
    what: 'what deleted wallets had used of the limits of policies',
    why: 'it counts for wallets that are made again of the same keys, which stay with their user',
  }),
  merges(WalletRecoveryEmail, {
    subject: 'userId',
    fate: 'kept',
    what: 'recovery addresses',
    why: 'of embedded wallets, of which there are none; the remaining user keeps the own one',
  }),
];

@Injectable()
export class WalletsMerging extends MergingPart {
  readonly merging = WALLETS_MERGED;
}
