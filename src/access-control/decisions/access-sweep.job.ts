import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { LogRecord } from '../../common/log-record.js';
import type { EnvironmentId } from '../../database/index.js';
import { Jobs } from '../../queue/index.js';
import { AccessGrantsRepository, type DueGrant } from './access-grants.repository.js';
import { AccessSweep } from './access-sweep.js';

const EVERY_MS = 60_000;
/** Users who received tokens or were checked within this time are skipped. */
export const SWEPT_AFTER_SECONDS = 300;
/** Users per run who get a grant because they signed in before a rule was enabled. */
const MOST_ADDED = 20_000;
/** Users per step: with three rules each, two Multicall3 calls. */
const BATCH = 200;
/** Environments that are swept at once, so that a few whose nodes never answer do not delay all others. */
const AT_ONCE = 8;

/**
 * Continually re-checks users who are signed in where a rule is enabled. Progress is stored in the rows, so an
 * interrupted run resumes where it stopped, and repeating a step is a no-op.
 */
@Injectable()
export class AccessSweepJob implements OnModuleInit {
  private readonly log = new Logger('Access');

  constructor(
    private readonly jobs: Jobs,
    private readonly grants: AccessGrantsRepository,
    private readonly accessSweep: AccessSweep,
  ) {}

  onModuleInit(): void {
    this.jobs.every('access.sweep', EVERY_MS, async () => {
      await this.run();
    });
  }

  /** @returns how many grants were checked */
  async run(): Promise<number> {
    let looked = 0;
    for (let added = MOST_ADDED; ; added = 0) {
      if (this.jobs.isStopping) return looked;
      const due = await this.listDue(added);
      await this.sweepAll(byEnvironment(due));
      if (this.jobs.isStopping) return looked;
      looked += due.length;
      if (due.length < BATCH && added === 0) return looked;
    }
  }

  /** Looking for people whom no rule has seen may take too long where there are millions; all others are checked anyway. */
  private async listDue(mostAdded: number): Promise<DueGrant[]> {
    try {
      return await this.grants.listDue(SWEPT_AFTER_SECONDS, BATCH, mostAdded);
    } catch (error) {
      if (mostAdded === 0) throw error;
      this.log.error(`People who signed in before a rule could not be found: ${(error as Error).message}`);
      return [];
    }
  }

  private async sweepAll(due: Map<EnvironmentId, DueGrant[]>): Promise<void> {
    const left = due.entries();
    const lane = async (): Promise<void> => {
      for (const [environmentId, own] of left) {
        if (this.jobs.isStopping) return;
        await this.sweepOne(environmentId, own);
      }
    };
    // A run is over when nothing of it is under way, whatever failed.
    const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane));
    for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
  }

  /** An error with one environment must not block the others: its users wait for their next turn, unconfirmed. */
  private async sweepOne(environmentId: EnvironmentId, due: readonly DueGrant[]): Promise<void> {
    try {
      await this.accessSweep.sweep(environmentId, due);
    } catch (error) {
      const text = `Access could not be checked: ${(error as Error).message}`;
      this.log.error(new LogRecord(text, { environmentId }));
      await this.grants.markSwept(
        environmentId,
        due.map((grant) => ({ ...grant, confirmed: false })),
      );
    }
  }
}

function byEnvironment(due: readonly DueGrant[]): Map<EnvironmentId, DueGrant[]> {
  const groups = new Map<EnvironmentId, DueGrant[]>();
  for (const grant of due) groups.set(grant.environmentId, [...(groups.get(grant.environmentId) ?? []), grant]);
  return groups;
}
