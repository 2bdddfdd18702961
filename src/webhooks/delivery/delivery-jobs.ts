import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../queue/index.js';
import { DELIVER_BELL, DISPATCH_BELL, PURGE_BELL } from './bells.js';
import { DeliveryWorker } from './delivery-worker.js';
import { EventDispatcher } from './event-dispatcher.js';
import { PurgeRepository } from './purge.repository.js';

const SWEEP_MS = 5000;
const PURGE_MS = 60_000;

/** Connects the work to its bells, on instances that run jobs. */
@Injectable()
export class DeliveryJobs implements OnModuleInit, BeforeApplicationShutdown {
  constructor(
    private readonly jobs: Jobs,
    private readonly dispatcher: EventDispatcher,
    private readonly worker: DeliveryWorker,
    private readonly purge: PurgeRepository,
  ) {}

  onModuleInit(): void {
    this.jobs.sweep(DISPATCH_BELL, SWEEP_MS, () => this.dispatcher.run());
    this.jobs.sweep(DELIVER_BELL, SWEEP_MS, () => this.worker.wake());
    this.jobs.every(PURGE_BELL, PURGE_MS, () => this.purge.purge(() => this.jobs.isStopping));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.dispatcher.stop();
    await this.worker.stop();
  }
}
