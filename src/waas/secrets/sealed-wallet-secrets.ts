import { Injectable } from '@nestjs/common';
import { Envelope, KeyVault, SealedRecordsRegistry, SealedTable, type SealContext } from '../../vault/index.js';
import { SealedWalletSecretsRepository, type SealedWalletSecretRow } from './sealed-wallet-secrets.repository.js';

/** Secrets that open share copies, as seen by master key rotation. */
@Injectable()
export class SealedWalletSecrets extends SealedTable<SealedWalletSecretRow> {
  readonly name = 'wallet_secrets.sealed_secret';

  constructor(
    rows: SealedWalletSecretsRepository,
    private readonly envelope: Envelope,
    vault: KeyVault,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedWalletSecretRow): Promise<SealedWalletSecretRow> {
    const { sealedSecret: was } = row;
    const sealedSecret = (await this.envelope.rewrap(was, walletSecretContext(row))) ?? was;
    return { ...row, sealedSecret, masterKeyId: this.envelope.keyIdOf(sealedSecret) };
  }
}

/** The context a secret is sealed to: it cannot be opened in another row, or for another user. */
export const walletSecretContext = ({
  environmentId,
  userId,
  id,
}: Pick<SealedWalletSecretRow, 'environmentId' | 'userId' | 'id'>): SealContext => ({
  purpose: 'wallet',
  environmentId,
  userId,
  subjectId: id,
  kind: 'wallet-secret',
});
