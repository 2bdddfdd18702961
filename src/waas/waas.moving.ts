import { Injectable } from '@nestjs/common';
import { MovingPart, moves, stays } from '../moving/index.js';
import { KeyShareBackup } from './backups/key-share-backup.entity.js';
import { KeyShareRecovery } from './backups/key-share-recovery.entity.js';
import { backupContext } from './backups/sealed-backups.js';
import { walletSecretContext } from './secrets/sealed-wallet-secrets.js';
import { WalletSecret } from './secrets/wallet-secret.entity.js';
import { CeremonyMessage } from './rooms/room-message.entity.js';
import { CeremonyRoom } from './rooms/room.entity.js';

/** Share copies and the secrets that open them move with the shares, and so do their release counts. */
@Injectable()
export class WaasMoving extends MovingPart {
  readonly moving = [
    moves(KeyShareBackup, {
      seal: {
        column: 'sealedCredential',
        by: (row) =>
          backupContext({
            environmentId: String(row['environment_id']),
            userId: String(row['user_id']),
            id: String(row['id']),
          }),
      },
    }),
    moves(KeyShareRecovery),
    moves(WalletSecret, {
      seal: {
        column: 'sealedSecret',
        by: (row) =>
          walletSecretContext({
            environmentId: String(row['environment_id']),
            userId: String(row['user_id']),
            id: String(row['id']),
          }),
      },
    }),
  ];
  readonly staying = [...stays('begun here, and over within a minute', CeremonyRoom, CeremonyMessage)];
}
