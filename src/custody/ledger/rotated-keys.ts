/* eslint-disable no-restricted-syntax -- the rotation of the master key works on the rows of every tenant */
import { Injectable } from '@nestjs/common';
import { mintEnvironmentId } from '../../auth/index.js';
import { UnitOfWork } from '../../database/index.js';
import { KeyVault } from '../../vault/index.js';
import { KeyLedger, SERVICE } from './key-ledger.js';

/** Keys of a user, of any kind. */
interface Rotated {
  readonly environmentId: string;
  readonly id: string;
  readonly userId: string;
}

/** Records master key rotation in the ledgers. */
@Injectable()
export class RotatedKeys {
  constructor(
    private readonly vault: KeyVault,
    private readonly ledger: KeyLedger,
    private readonly work: UnitOfWork,
  ) {}

  /** Records every opened data key. Sorted, so that concurrent runs lock the heads in the same order. */
  async record(rows: readonly Rotated[]): Promise<void> {
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
