import { Injectable } from '@nestjs/common';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { SealedTotpSecretsRepository, type SealedTotpSecretRow } from './sealed-totp-secrets.repository.js';
import { TotpSecrets } from './totp-secrets.js';

/** The secrets of devices in master key rotation. */
@Injectable()
export class SealedTotpSecrets extends SealedTable<SealedTotpSecretRow> {
  readonly name = 'mfa_devices.sealed_secret';

  constructor(
    rows: SealedTotpSecretsRepository,
    private readonly secrets: TotpSecrets,
    vault: KeyVault,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedTotpSecretRow): Promise<SealedTotpSecretRow> {
    const { sealedSecret } = row;
    // A row without a secret has no master key, and is not read here.
    return sealedSecret ? { ...row, ...(await this.secrets.rewrap({ ...row, sealedSecret })) } : row;
  }
}
