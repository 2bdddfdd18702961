import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EnvironmentRows, UnitOfWork, type EnvironmentId } from '../database/index.js';
import { EnvironmentKeysRepository, KEY_TABLES, type KeyTable } from './environment-keys.repository.js';
import { KeyLedger, SERVICE } from './ledger/key-ledger.js';
import type { KeyUse } from './ledger/ledger-entry.js';

/** Removes an environment's keys with it, and records that in its ledger, which outlives it. */
@Injectable()
export class EnvironmentKeys implements OnModuleInit {
  constructor(
    private readonly rows: EnvironmentRows,
    private readonly keys: EnvironmentKeysRepository,
    private readonly ledger: KeyLedger,
    private readonly work: UnitOfWork,
  ) {}

  onModuleInit(): void {
    for (const table of KEY_TABLES) {
      this.rows.removeBy(table, (environmentId, limit) => this.remove(table, environmentId, limit));
    }
  }

  private remove(table: KeyTable, environmentId: EnvironmentId, limit: number): Promise<number> {
    return this.work.run(async (tx) => {
      const removed = await this.keys.remove(table, environmentId, limit, tx);
      // The ledger already records those that were out of use.
      const ended = removed.filter(({ isInUse }) => isInUse);
      const uses = ended.map(({ keysId, userId, subject }): KeyUse => {
        const about = { actor: SERVICE, userId, keysId, subject: { ...subject, graceDays: 0 } };
        return {
          operation: 'delete',
          ...about,
          reason: 'the environment was deleted',
          digest: null,
          verdict: 'allowed',
        };
      });
      this.ledger.recordAll(environmentId, uses, tx);
      return removed.length;
    });
  }
}
