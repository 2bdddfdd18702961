import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import type { ArchivedRow, Arrival, Passage, SealedAnew, SealHands } from '../../moving/index.js';
import type { HpkeMessage } from '../../vault/index.js';
import { KeyLedger, SERVICE } from '../ledger/key-ledger.js';
import type { KeyOperation } from '../ledger/ledger-entry.js';
import { WalletSigner, type NamedKeys } from '../signer/wallet-signer.js';
import type { HeldSecretKind } from './wallet-seed.entity.js';

/** Moves seeds to another installation, through the signer only. Each move is recorded in the ledger. */
@Injectable()
export class SeedHands implements SealHands {
  constructor(
    private readonly signer: WalletSigner,
    private readonly ledger: KeyLedger,
  ) {}

  release(environmentId: EnvironmentId, row: ArchivedRow, sealed: Buffer, passage: Passage): Promise<HpkeMessage> {
    const { aad, ...recipient } = passage;
    return this.signer.release({ ...keysOf(environmentId, row), sealed }, { kem: 'X25519', ...recipient }, aad);
  }

  admit(environmentId: EnvironmentId, row: ArchivedRow, arrival: Arrival): Promise<SealedAnew | null> {
    return this.signer.admit(keysOf(environmentId, row), arrival);
  }

  /** Called before a key leaves, so that none leaves without a ledger row. */
  releasing(environmentId: EnvironmentId, rows: readonly ArchivedRow[], tx: Transaction): Promise<void> {
    return this.record('export', 'moved to another installation', { environmentId, rows }, tx);
  }

  admitted(environmentId: EnvironmentId, rows: readonly ArchivedRow[], tx: Transaction): Promise<void> {
    return this.record('import', 'moved from another installation', { environmentId, rows }, tx);
  }

  private async record(
    operation: KeyOperation,
    reason: string,
    { environmentId, rows }: { environmentId: EnvironmentId; rows: readonly ArchivedRow[] },
    tx: Transaction,
  ): Promise<void> {
    for (const row of rows) {
      const { userId, keysId, kind } = keysOf(environmentId, row);
      const about = { actor: SERVICE, userId, keysId, subject: { kind }, reason };
      this.ledger.record(environmentId, { operation, ...about, digest: null, verdict: 'allowed' }, tx);
    }
  }
}

const keysOf = (environmentId: EnvironmentId, row: ArchivedRow): NamedKeys & { kind: HeldSecretKind } => ({
  environmentId,
  userId: String(row['user_id']),
  keysId: String(row['id']),
  kind: row['kind'] as HeldSecretKind,
});
