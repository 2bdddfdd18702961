import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import { JobQueue } from './job-queue.js';

export const DOORBELL = 'doorbell';

/** More than the number of bells: at most one ring per bell is in progress. */
const CONCURRENCY = 100;

/**
 * Handles rings of other instances. A ring stays a Bull job until its handler has succeeded: if that fails or the process
 * dies, Bull redelivers the ring to any instance.
 */
@Processor(DOORBELL)
export class DoorbellProcessor {
  constructor(private readonly queue: JobQueue) {}

  @Process({ name: '*', concurrency: CONCURRENCY })
  async answer({ name: bell }: Pick<Job, 'name'>): Promise<void> {
    if (!(await this.queue.answer(bell))) throw new Error(`${bell} has failed.`);
  }
}
