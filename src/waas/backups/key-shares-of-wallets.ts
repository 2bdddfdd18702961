import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SHOWN_SHARE_SETS } from '../../custody/index.js';
import { rowsOf } from '../../database/index.js';
import { ShownWallets } from '../../wallets/index.js';
import { KeyShareBackup } from './key-share-backup.entity.js';

const BACKUPS = rowsOf(KeyShareBackup);

/** `keyShares` of wallets: the copies of the user's present shares. Those of earlier ones are useless. */
@Injectable()
export class KeySharesOfWallets implements OnModuleInit {
  constructor(private readonly wallets: ShownWallets) {}

  onModuleInit(): void {
    this.wallets.showKeyShares(
      BACKUPS.listed({
        subject: 'walletId',
        where: BACKUPS.has(SHOWN_SHARE_SETS, { id: 'keysId', generation: 'generation' }),
        order: ['createdAt', 'id'],
        fields: BACKUPS.sparse({
          id: 'id',
          backupLocation: 'location',
          passwordEncrypted: 'passwordEncrypted',
          externalKeyShareId: 'externalKeyShareId',
        }),
      }),
    );
  }
}
