import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { JobQueue, Sweeper } from '../../queue/index.js';
import { DELIVER_BELL, DISPATCH_BELL, PURGE_BELL } from './bells.js';
import { DeliveryWorker } from './delivery-worker.js';
import { EventDispatcher } from './event-dispatcher.js';
import { PurgeRepository } from './purge.repository.js';

const SWEEP_MS = 5000;
const PURGE_MS = 60_000;

/** Ties the work to its bells, on instances that run jobs. */
@Injectable()
export class DeliveryJobs implements OnModuleInit, BeforeApplicationShutdown {
  constructor(
    private readonly config: Config,
    private readonly queue: JobQueue,
    private readonly sweeper: Sweeper,
    private readonly dispatcher: EventDispatcher,
    private readonly worker: DeliveryWorker,
    private readonly purge: PurgeRepository,
  ) {}

  onModuleInit(): void {
    if (!this.config.runsJobs) return;
    this.queue.handle(DISPATCH_BELL, () => this.dispatcher.run());
    this.queue.handle(DELIVER_BELL, () => this.worker.wake());
    this.queue.handle(PURGE_BELL, () => this.purge.purge());
    this.sweeper.every(SWEEP_MS, DISPATCH_BELL);
    this.sweeper.every(SWEEP_MS, DELIVER_BELL);
    this.sweeper.every(PURGE_MS, PURGE_BELL);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.dispatcher.stop();
    await this.worker.stop();
  }
}
