/* eslint-disable no-restricted-syntax -- the rotation of the master key works on the rows of every tenant */
import { Injectable } from '@nestjs/common';
import { mintEnvironmentId } from '../../auth/index.js';
import { UnitOfWork } from '../../database/index.js';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { KeyLedger, SERVICE } from '../ledger/key-ledger.js';
import { WalletSigner } from '../signer/wallet-signer.js';
import { SealedSeedsRepository, type SealedSeedRow } from './sealed-seeds.repository.js';

/** The seeds of wallets as the rotation of the master key sees them. */
@Injectable()
export class SealedSeeds extends SealedTable<SealedSeedRow> {
  readonly name = 'wallet_seeds.sealed_entropy';

  constructor(
    rows: SealedSeedsRepository,
    private readonly signer: WalletSigner,
    private readonly vault: KeyVault,
    private readonly ledger: KeyLedger,
    private readonly work: UnitOfWork,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedSeedRow): Promise<SealedSeedRow> {
    const { environmentId, id, userId, kind, sealedEntropy } = row;
    const rewrapped = await this.signer.rewrap({
      environmentId: mintEnvironmentId(environmentId),
      userId,
      keysId: id,
      kind,
      sealed: sealedEntropy,
    });
    return {
      ...row,
      sealedEntropy: rewrapped?.sealed ?? sealedEntropy,
      masterKeyId: rewrapped?.masterKeyId ?? this.vault.currentKeyId,
    };
  }

  /** Every data key that was opened leaves a row, in the order in which all of these transactions take the heads. */
  protected override async opened(rows: readonly SealedSeedRow[]): Promise<void> {
    const inOrder = rows.toSorted((a, b) => (a.environmentId < b.environmentId ? -1 : 1));
    await this.work.run(async (tx) => {
      for (const { environmentId, id, userId } of inOrder) {
        const subject = { masterKeyId: this.vault.currentKeyId };
        const about = { actor: SERVICE, userId, keysId: id, subject, reason: 'rotation of the master key' };
        const use = { operation: 'rewrap', ...about, digest: null, verdict: 'allowed' } as const;
        this.ledger.record(mintEnvironmentId(environmentId), use, tx);
      }
    });
  }
}
