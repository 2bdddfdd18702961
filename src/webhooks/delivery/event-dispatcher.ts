import { Injectable } from '@nestjs/common';
import { LEFT_BATCH, LeftEventsRepository } from '../../database/index.js';
import { JobQueue } from '../../queue/index.js';
import { DELIVER_BELL } from './bells.js';
import { DeliveryWorker } from './delivery-worker.js';

/** A batch of more messages than this wakes every instance. */
const ONE_WORKER_TAKES = 50;

/** Turns events into messages and wakes the workers that send them, this process first. */
@Injectable()
export class EventDispatcher {
  private stopped = false;

  constructor(
    private readonly left: LeftEventsRepository,
    private readonly worker: DeliveryWorker,
    private readonly queue: JobQueue,
  ) {}

  /** Dispatches until no events are left. */
  async run(): Promise<void> {
    for (let events = LEFT_BATCH; events === LEFT_BATCH && !this.stopped;) {
      const batch = await this.left.dispatchBatch();
      events = batch.events;
      if (batch.messages > 0) void this.worker.wake();
      if (batch.messages > ONE_WORKER_TAKES) this.queue.ring(DELIVER_BELL);
    }
  }

  stop(): void {
    this.stopped = true;
  }
}
