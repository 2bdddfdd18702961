import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../queue/index.js';
import { DELIVER_BELL } from './bells.js';
import { DeliveryWorker } from './delivery-worker.js';
import { DISPATCH_BATCH, DispatchRepository } from './dispatch.repository.js';

/** More messages than this in one batch are work for every instance. */
const ONE_WORKER_TAKES = 50;

/** Makes messages of events and wakes those who send them, this process first. */
@Injectable()
export class EventDispatcher {
  private stopped = false;

  constructor(
    private readonly dispatch: DispatchRepository,
    private readonly worker: DeliveryWorker,
    private readonly queue: JobQueue,
  ) {}

  /** Dispatches until no event waits. */
  async run(): Promise<void> {
    for (let events = DISPATCH_BATCH; events === DISPATCH_BATCH && !this.stopped;) {
      const batch = await this.dispatch.dispatchBatch();
      events = batch.events;
      if (batch.messages > 0) void this.worker.wake();
      if (batch.messages > ONE_WORKER_TAKES) this.queue.ring(DELIVER_BELL);
    }
  }

  stop(): void {
    this.stopped = true;
  }
}
