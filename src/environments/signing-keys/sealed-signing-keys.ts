import { Injectable } from '@nestjs/common';
import { Envelope, KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { SealedSigningKeysRepository, type SealedKeyRow } from './sealed-signing-keys.repository.js';
import { sealContextOf } from './signing-key-maker.js';

/** Private signing keys, for master key rotation. */
@Injectable()
export class SealedSigningKeys extends SealedTable<SealedKeyRow> {
  readonly name = 'signing_keys.sealed_private_key';

  constructor(
    rows: SealedSigningKeysRepository,
    private readonly envelope: Envelope,
    vault: KeyVault,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedKeyRow): Promise<SealedKeyRow> {
    const context = sealContextOf(row.environmentId, row.id);
    const sealedPrivateKey = (await this.envelope.rewrap(row.sealedPrivateKey, context)) ?? row.sealedPrivateKey;
    return { ...row, sealedPrivateKey, masterKeyId: this.envelope.keyIdOf(sealedPrivateKey) };
  }
}
