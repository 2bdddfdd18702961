import { Injectable } from '@nestjs/common';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { NameSignerKeys } from './name-signer-keys.js';
import { SealedNameKeysRepository, type SealedNameKeyRow } from './sealed-name-keys.repository.js';

/** The keys of name services as seen by master key rotation. */
@Injectable()
export class SealedNameKeys extends SealedTable<SealedNameKeyRow> {
  readonly name = 'name_services.sealed_key';

  constructor(
    rows: SealedNameKeysRepository,
    private readonly keys: NameSignerKeys,
    vault: KeyVault,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedNameKeyRow): Promise<SealedNameKeyRow> {
    if (!row.sealedKey) return row;
    const { sealedKey, masterKeyId } = await this.keys.rewrap({ ...row, sealedKey: row.sealedKey });
    return { ...row, sealedKey, masterKeyId: masterKeyId! };
  }
}
