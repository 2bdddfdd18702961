import { Logger, type OnModuleInit } from '@nestjs/common';
import type { CustodyVersion } from '../../src/custody/index.js';
import type { EnvironmentId, EnvironmentRows } from '../../src/database/index.js';
import type { Jobs } from '../../src/queue/index.js';
import type { VendorKeysRepository } from './vendor-keys.repository.js';

const HOUR_MS = 3_600_000;
/** Clients of vendors give up earlier; one that does not would keep the job from ever running again. */
const LONGEST_CALL_SECONDS = 15;

/** The keys to destroy, and the vendor that does it. */
export interface ShreddedKeys {
  readonly version: CustodyVersion;
  /** Resolves when there are no keys of this name, also if there never were any. */
  destroy(name: string): Promise<void>;
}

/**
 * Has a vendor destroy keys that were never stored or are past their retention, and those of an environment being
 * deleted, unless it was exported: its wallets may live on elsewhere, with the same keys. A row is deleted only after
 * its keys: calls without a response are retried.
 */
export class VendorKeysShredder implements OnModuleInit {
  private readonly log = new Logger('VendorKeys');

  constructor(
    private readonly vendor: ShreddedKeys,
    private readonly keys: VendorKeysRepository,
    private readonly jobs: Jobs,
    private readonly rows: EnvironmentRows,
  ) {}

  onModuleInit(): void {
    this.jobs.every(`vendorKeys.destroy.${this.vendor.version}`, HOUR_MS, () => this.run());
    this.rows.removeBy('vendor_keys', (environmentId, limit) => this.remove(environmentId, limit));
  }

  async run(): Promise<void> {
    const { version } = this.vendor;
    for (let due = await this.keys.takeDue(version); due.length > 0; due = await this.keys.takeDue(version)) {
      for (const { environmentId, id } of due) {
        if (this.jobs.isStopping) return;
        await this.destroy(environmentId, id);
      }
    }
  }

  /** An error stops the environment's removal, which is retried. */
  private async remove(environmentId: EnvironmentId, limit: number): Promise<number> {
    const { version } = this.vendor;
    const rows = await this.keys.list(environmentId, { version }, { orderBy: 'id', limit });
    const exported = rows.filter(({ exportedAt }) => exportedAt !== null);
    if (exported.length > 0)
      this.log.warn(`environment=${environmentId} ${exported.length} keys stay at the vendor: they were exported.`);
    for (const { id, exportedAt } of rows)
      await (exportedAt === null ? this.destroy(environmentId, id) : this.keys.remove(environmentId, id));
    return rows.length;
  }

  private async destroy(environmentId: EnvironmentId, id: string): Promise<void> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const error = new Error(`The vendor did not destroy a key within ${LONGEST_CALL_SECONDS} seconds.`);
    const timer = setTimeout(() => reject(error), LONGEST_CALL_SECONDS * 1_000);
    try {
      await Promise.race([this.vendor.destroy(id), late]);
    } finally {
      clearTimeout(timer);
    }
    await this.keys.remove(environmentId, id);
  }
}
