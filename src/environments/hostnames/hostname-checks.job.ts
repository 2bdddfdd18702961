import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { mintEnvironmentId } from '../../auth/index.js';
import { Jobs } from '../../queue/index.js';
import { CustomHostnamesRepository, type DueHostname } from './custom-hostnames.repository.js';
import { HOSTNAMES_DUE } from './hostname-bell.js';
import { HostnameChecks } from './hostname-checks.service.js';

const EVERY_MS = 60_000;
/** Checked concurrently; each waits for the DNS for a few seconds at most. */
const BATCH = 20;
const LEASE_SECONDS = 300;

/** Checks the DNS of host names that are due: often while they wait for their records, weekly once verified. */
@Injectable()
export class HostnameChecksJob implements OnApplicationBootstrap {
  private readonly log = new Logger('Hostnames');

  constructor(
    private readonly jobs: Jobs,
    private readonly hostnames: CustomHostnamesRepository,
    private readonly checks: HostnameChecks,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.every(HOSTNAMES_DUE, EVERY_MS, () => this.run());
  }

  async run(): Promise<void> {
    for (let batch = BATCH; batch === BATCH && !this.jobs.isStopping;) {
      const due = await this.hostnames.claimDue(BATCH, LEASE_SECONDS);
      await Promise.all(due.map((each) => this.checkOne(each)));
      batch = due.length;
    }
  }

  /** An error with one name must not block the others; it is due again when its lease expires. */
  private async checkOne(due: DueHostname): Promise<void> {
    try {
      await this.checks.check(mintEnvironmentId(due.environmentId), due);
    } catch (error) {
      this.log.error(`id=${due.id} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
}
