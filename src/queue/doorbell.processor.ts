import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import { JobQueue } from './job-queue.js';

export const DOORBELL = 'doorbell';

/** More than there are bells: of each bell at most one ring is under way. */
const CONCURRENCY = 100;

/**
 * Answers rings of other instances. A ring is a job of Bull until its handler has done the work: when that fails, or the
 * process dies, Bull delivers the ring again, to whichever instance is there.
 */
@Processor(DOORBELL)
export class DoorbellProcessor {
  constructor(private readonly queue: JobQueue) {}

  @Process({ name: '*', concurrency: CONCURRENCY })
  async answer({ name: bell }: Pick<Job, 'name'>): Promise<void> {
    if (!(await this.queue.answer(bell))) throw new Error(`${bell} has failed.`);
  }
}
