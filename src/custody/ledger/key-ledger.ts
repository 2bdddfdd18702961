import { Injectable } from '@nestjs/common';
import type { Principal } from '../../auth/index.js';
import { newId } from '../../common/ids.js';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { KeyLedgerRepository } from './key-ledger.repository.js';
import type { KeyActor, KeyUse } from './ledger-entry.js';

/** The actor for what the service does of its own accord. */
export const SERVICE: KeyActor = { type: 'system', id: null };

export function keyActorOf(principal: Principal): KeyActor {
  switch (principal.kind) {
    case 'endUser':
      return { type: 'user', id: principal.userId, sessionId: principal.sessionId };
    case 'dashboardUser':
      return {
        type: 'member',
        id: principal.userId,
        ...(principal.tokenId !== null && { tokenId: principal.tokenId }),
      };
    case 'environmentToken':
      return { type: 'token', id: principal.tokenId };
    case 'anonymous':
      return SERVICE;
  }
}

/** Every use of keys, in one append-only hash chain per environment. */
@Injectable()
export class KeyLedger {
  constructor(
    private readonly rows: KeyLedgerRepository,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Writes the row just before the transaction commits, so that the head, which every writer in the environment waits
   * for, is held as briefly as possible and never before another lock.
   */
  record(environmentId: EnvironmentId, use: KeyUse, tx: Transaction): void {
    const entry = { ...use, environmentId, id: newId() };
    tx.beforeCommit('key ledger', async () => this.rows.append(environmentId, entry, tx));
  }

  /** The same for several uses, in two statements at most. */
  recordAll(environmentId: EnvironmentId, uses: readonly KeyUse[], tx: Transaction): void {
    if (uses.length === 0) return;
    const entries = uses.map((use) => ({ ...use, environmentId, id: newId() }));
    tx.beforeCommit('key ledger', async () => this.rows.appendAll(environmentId, entries, tx));
  }

  /** A use with no other changes to commit with it, such as a refusal. */
  async recordAlone(environmentId: EnvironmentId, use: KeyUse): Promise<void> {
    await this.work.run(async (tx) => this.record(environmentId, use, tx));
  }
}
