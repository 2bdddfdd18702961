import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../queue/index.js';
import { DomainProofs } from './domain-proofs.service.js';
import { SsoProvidersRepository } from './sso-providers.repository.js';

const BELL = 'sso.domains';
const EVERY_MS = 3_600_000;
/** Checked concurrently; each waits for the DNS for a few seconds at most. */
const BATCH = 20;

/** Re-checks proven email domains daily: an organization that gives one up no longer speaks for its people. */
@Injectable()
export class DomainProofsJob implements OnModuleInit {
  private readonly log = new Logger('SingleSignOn');

  constructor(
    private readonly jobs: Jobs,
    private readonly providers: SsoProvidersRepository,
    private readonly proofs: DomainProofs,
  ) {}

  onModuleInit(): void {
    this.jobs.every(BELL, EVERY_MS, () => this.run());
  }

  async run(): Promise<void> {
    for (let batch = BATCH; batch === BATCH && !this.jobs.isStopping;) {
      const due = await this.providers.claimDue(BATCH);
      const settled = await Promise.allSettled(due.map((each) => this.proofs.settle(each)));
      for (const { reason } of settled.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]) {
        this.log.error(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
      }
      batch = due.length;
    }
  }
}
