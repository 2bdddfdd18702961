import { Injectable } from '@nestjs/common';
import { Envelope, KeyVault, SealedRecordsRegistry, SealedTable, type SealContext } from '../../vault/index.js';
import { SealedBackupsRepository, type SealedBackupRow } from './sealed-backups.repository.js';

/** Copies kept by the service, as seen by master key rotation. */
@Injectable()
export class SealedBackups extends SealedTable<SealedBackupRow> {
  readonly name = 'key_share_backups.sealed_credential';

  constructor(
    rows: SealedBackupsRepository,
    private readonly envelope: Envelope,
    vault: KeyVault,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedBackupRow): Promise<SealedBackupRow> {
    const { sealedCredential: was } = row;
    // A row without a copy has no master key, and is not read here.
    if (!was) return row;
    const sealedCredential = (await this.envelope.rewrap(was, backupContext(row))) ?? was;
    return { ...row, sealedCredential, masterKeyId: this.envelope.keyIdOf(sealedCredential) };
  }
}

/** The context a copy is sealed to: it cannot be opened in another row, or for another user. */
export const backupContext = ({
  environmentId,
  userId,
  id,
}: Pick<SealedBackupRow, 'environmentId' | 'userId' | 'id'>): SealContext => ({
  purpose: 'wallet',
  environmentId,
  userId,
  subjectId: id,
  kind: 'key-share-backup',
});
