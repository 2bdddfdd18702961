import { Injectable } from '@nestjs/common';
import { MergingPart, merges, type MergedTable } from '../database/index.js';
import { KeyShareBackup } from './backups/key-share-backup.entity.js';
import { CeremonyRoom } from './rooms/room.entity.js';
import { WalletSecret } from './secrets/wallet-secret.entity.js';

export const WAAS_MERGED: readonly MergedTable[] = [
  merges(CeremonyRoom, { subject: 'userId', fate: 'ended', what: 'rooms of ceremonies', why: 'over within minutes' }),
  merges(KeyShareBackup, {
    subject: 'userId',
    fate: 'refused',
    what: 'copies of shares',
    why: 'they belong to an embedded wallet',
  }),
  merges(WalletSecret, {
    subject: 'userId',
    fate: 'refused',
    what: 'secrets that open copies of shares',
    why: 'they belong to an embedded wallet',
  }),
];

@Injectable()
export class WaasMerging extends MergingPart {
  readonly merging = WAAS_MERGED;
}
