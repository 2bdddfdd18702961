import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import type { SharedWallet } from '../../custody/index.js';
import { Envelope } from '../../vault/index.js';
import type { BackupRow } from './backups.repository.js';
import { backupContext } from './sealed-backups.js';

/**
 * What devices have encrypted, sealed once more: a thief of the database has nothing to try passwords on, and everybody
 * else only what recovery lets out. Nothing of it is done in a transaction, since the vault may be another machine.
 */
@Injectable()
export class BackupCopies {
  constructor(private readonly envelope: Envelope) {}

  seal(
    { environmentId, userId }: SharedWallet,
    credentials: readonly string[],
    passwordEncrypted: boolean,
  ): Promise<BackupRow[]> {
    return Promise.all(
      credentials.map(async (credential) => {
        const id = newId();
        const context = backupContext({ environmentId, userId, id });
        const sealedCredential = await this.envelope.seal(Buffer.from(credential, 'utf8'), context);
        const masterKeyId = this.envelope.keyIdOf(sealedCredential);
        const nowhereElse = { externalKeyShareId: null, keygenId: null };
        return { id, location: 'platform', passwordEncrypted, sealedCredential, masterKeyId, ...nowhereElse } as const;
      }),
    );
  }

  /** What the device has encrypted; null for a copy that is elsewhere. */
  async open(
    { environmentId, userId }: SharedWallet,
    { id, sealedCredential }: Pick<BackupRow, 'id' | 'sealedCredential'>,
  ): Promise<string | null> {
    if (!sealedCredential) return null;
    const bytes = await this.envelope.open(sealedCredential, backupContext({ environmentId, userId, id }));
    try {
      return bytes.expose().toString('utf8');
    } finally {
      bytes.wipe();
    }
  }
}
