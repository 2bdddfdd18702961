export { JobQueue, type JobHandler } from './job-queue.js';
export { Jobs } from './jobs/jobs.js';
export { PurgeJob } from './jobs/purge-job.js';
export { QueueModule } from './queue.module.js';
export { tryRing } from './ring-trial.js';
