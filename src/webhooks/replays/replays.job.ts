import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { mintEnvironmentId } from '../../auth/index.js';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { ChangeLog, SERVICE } from '../../organizations/index.js';
import { JobQueue, Jobs } from '../../queue/index.js';
import { DELIVER_BELL, REPLAY_BELL } from '../delivery/bells.js';
import { Retention } from '../retention/retention.js';
import { REPLAY_ENDED } from './replay.events.js';
import { ReplayStepsRepository, type ReplayUnderWay, type SteppedReplay } from './replay-steps.repository.js';
import { shownReplay } from './shown-replay.js';

const SWEEP_MS = 5000;
/** Delay before retrying replays that had no room or were locked by others. */
const PAUSE_MS = 250;
/** Maximum rounds per run: a shutdown waits no longer than that. */
const MAX_ROUNDS = 20;

/**
 * Advances replays step by step, alongside any number of instances. A step commits its progress with its work, so
 * others can continue a replay if an instance dies.
 */
@Injectable()
export class ReplaysJob implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger('Webhooks');
  private stopped = false;

  constructor(
    private readonly queue: JobQueue,
    private readonly jobs: Jobs,
    private readonly steps: ReplayStepsRepository,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly retention: Retention,
  ) {}

  onModuleInit(): void {
    this.jobs.sweep(REPLAY_BELL, SWEEP_MS, () => this.run());
  }

  beforeApplicationShutdown(): void {
    this.stopped = true;
  }

  async run(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const underWay = await this.steps.listUnderWay();
      if (underWay.length === 0) return;
      const oldest = await this.retention.oldestComplete();
      let moved = false;
      for (const replay of underWay) {
        if (this.stopped) return;
        if (await this.move(replay, oldest)) moved = true;
      }
      if (!moved) {
        this.queue.ring(REPLAY_BELL, PAUSE_MS);
        return;
      }
    }
    this.queue.ring(REPLAY_BELL);
  }

  /** A failing replay must not hold up the others. */
  private async move(replay: ReplayUnderWay, oldest: string): Promise<boolean> {
    const environmentId = mintEnvironmentId(replay.environmentId);
    try {
      const row = await this.work.run((tx) => this.step(environmentId, replay, oldest, tx));
      if (row && row.done > row.doneBefore) this.queue.ring(DELIVER_BELL);
      return row !== null;
    } catch (error) {
      this.log.error(`Replay ${replay.id} could not continue: ${(error as Error).message}`);
      return false;
    }
  }

  private async step(
    environmentId: EnvironmentId,
    replay: ReplayUnderWay,
    oldest: string,
    tx: Transaction,
  ): Promise<SteppedReplay | null> {
    const row = replay.isEnabled
      ? await this.steps.step(environmentId, replay, oldest, tx)
      : await this.steps.fail(environmentId, replay.id, tx);
    if (!row || row.endedAt === null) return row;
    const after = shownReplay(row);
    const before = { ...after, state: replay.state, done: row.doneBefore, endedAt: undefined };
    const resource = { type: 'webhookReplay', id: row.id };
    const change = { actor: SERVICE, event: REPLAY_ENDED, resource, before, after };
    await this.changes.record({ scope: { environmentId }, ...change }, tx);
    return row;
  }
}
