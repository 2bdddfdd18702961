import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { Database, UnitOfWork, violatedConstraint } from '../../database/index.js';
import { ChangeLog, SERVICE } from '../../organizations/index.js';
import { JobQueue } from '../../queue/index.js';
import { ACTIVE_ONCE, type CustomHostnameEntity } from './custom-hostname.entity.js';
import { CUSTOM_HOSTNAME_UPDATED } from './custom-hostname.events.js';
import { CustomHostnamesRepository, type DueHostname } from './custom-hostnames.repository.js';
import { DnsRecords } from '../../outbound/index.js';
import { HOSTNAMES_DUE } from './hostname-bell.js';
import { findProof, type Finding } from './hostname-proof.js';
import { HostnameRecords } from './hostname-records.js';
import { nextState } from './hostname-state.js';

/** Each environment has its own record, so several can be present; the first to verify the name keeps it. */
const HELD: Finding = {
  verdict: 'refuted',
  reason:
    'The records are right, but the name is active in another environment. Its records there are being looked at again.',
};

/** Checks host names against the DNS. */
@Injectable()
export class HostnameChecks {
  constructor(
    private readonly hostnames: CustomHostnamesRepository,
    private readonly records: HostnameRecords,
    private readonly dns: DnsRecords,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly queue: JobQueue,
    private readonly database: Database,
  ) {}

  /** Looks up the records of a name and stores the result. No transaction is open during DNS queries. */
  async check(environmentId: EnvironmentId, due: DueHostname): Promise<void> {
    const finding = await findProof(this.records.of(due), this.dns);
    try {
      await this.enter(environmentId, due.id, finding);
    } catch (error) {
      if (violatedConstraint(error) !== ACTIVE_ONCE) throw error;
      await this.enter(environmentId, due.id, HELD);
      await this.hostnames.recheckHolder(due.hostname);
      this.queue.ring(HOSTNAMES_DUE);
    }
  }

  private async enter(environmentId: EnvironmentId, id: string, finding: Finding): Promise<void> {
    const now = await this.database.now();
    await this.work.run(async (tx) => {
      const before = await this.hostnames.lock(environmentId, { id }, tx);
      if (!before) return;
      const state = nextState(before.status, ageSeconds(before, now), finding);
      const after = await this.hostnames.enter(environmentId, id, state, tx);
      if (!after || after.status === before.status) return;
      const change = {
        event: CUSTOM_HOSTNAME_UPDATED,
        resource: { type: 'customHostname', id },
        before: this.records.shown(before),
        after: this.records.shown(after),
      };
      await this.changes.record({ scope: { environmentId }, actor: SERVICE, ...change }, tx);
    });
  }
}

const ageSeconds = ({ statusSince }: CustomHostnameEntity, now: Date): number =>
  (now.getTime() - statusSince.getTime()) / 1_000;
