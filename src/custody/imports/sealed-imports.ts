/* eslint-disable no-restricted-syntax -- the rotation of the master key works on the rows of every tenant */
import { Injectable } from '@nestjs/common';
import { mintEnvironmentId } from '../../auth/index.js';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { WalletSigner } from '../signer/wallet-signer.js';
import { SealedImportsRepository, type SealedImportRow } from './sealed-imports.repository.js';

/** Pending imports, as master key rotation sees them. */
@Injectable()
export class SealedImports extends SealedTable<SealedImportRow> {
  readonly name = 'key_imports.sealed_key';

  constructor(
    rows: SealedImportsRepository,
    private readonly signer: WalletSigner,
    private readonly vault: KeyVault,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedImportRow): Promise<SealedImportRow> {
    const { environmentId, id, userId, sealedKey } = row;
    const owner = { environmentId: mintEnvironmentId(environmentId), userId, keysId: id };
    const rewrapped = await this.signer.rewrap({ ...owner, kind: 'import-key', sealed: sealedKey });
    return {
      ...row,
      sealedKey: rewrapped?.sealed ?? sealedKey,
      masterKeyId: rewrapped?.masterKeyId ?? this.vault.currentKeyId,
    };
  }
}
