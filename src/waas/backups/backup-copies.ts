import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import type { WalletOfShares } from '../../custody/index.js';
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
    { environmentId, userId }: Pick<WalletOfShares, 'environmentId' | 'userId'>,
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

  /**
   * The copies that the service keeps, where they are just these: whoever did not hear that they were stored sends them
   * again. Null where they are others, so that they are to be replaced.
   */
  async findSame(
    present: readonly BackupRow[],
    wallet: WalletOfShares,
    credentials: readonly string[],
    passwordEncrypted: boolean,
  ): Promise<BackupRow[] | null> {
    const kept = present.filter(({ location }) => location === 'platform');
    if (kept.length !== credentials.length || kept.some((row) => row.passwordEncrypted !== passwordEncrypted))
      return null;
    const opened = await Promise.all(kept.map((row) => this.open(wallet, row)));
    const rows = credentials.map((credential) => kept[opened.indexOf(credential)]);
    return rows.every((row) => row !== undefined) && new Set(rows).size === kept.length ? rows : null;
  }

  /** What the device has encrypted; null for a copy that is elsewhere. */
  async open(
    { environmentId, userId }: WalletOfShares,
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
