import { Injectable } from '@nestjs/common';
import { MergingPart, type MergedTable } from '../database/index.js';

export const WALLETS_MERGED: readonly MergedTable[] = [
  {
    table: 'wallets',
    fate: 'settled',
    what: 'wallets',
    why: 'external ones are the remaining user’s; whoever has an embedded one, hidden or not, is not merged away: its keys are sealed to the user',
  },
  {
    table: 'global_wallet_connections',
    fate: 'ended',
    what: 'connections of global wallets',
    why: 'consent was given by one user to one application',
  },
  {
    table: 'wallet_session_keys',
    fate: 'ended',
    what: 'keys that stamp requests of sessions',
    why: 'they end with the sessions',
  },
  {
    table: 'wallet_passkey_recoveries',
    fate: 'ended',
    what: 'passkeys that were being replaced',
    why: 'good for minutes',
  },
  {
    table: 'wallet_recovery_emails',
    fate: 'kept',
    what: 'recovery addresses',
    why: 'of embedded wallets, of which there are none; the remaining user keeps the own one',
  },
];

@Injectable()
export class WalletsMerging extends MergingPart {
  readonly merging = WALLETS_MERGED;
}
