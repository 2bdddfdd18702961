import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import type { WalletOfShares } from '../../custody/index.js';
import { Envelope } from '../../vault/index.js';
import type { BackupRow } from './backups.repository.js';
import { backupContext } from './sealed-backups.js';

/**
 * Device-encrypted copies, sealed once more: a stolen database offers nothing to try passwords on, and any other access
 * is limited to what recovery releases. Never used inside a transaction, since the vault may be a remote machine.
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
   * The copies kept by the service, if they equal these: a client that missed the response of a store sends them again.
   * Null if they differ and have to be replaced.
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

  /** The data encrypted by the device; null for a copy kept elsewhere. */
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
