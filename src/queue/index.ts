export { JobQueue, type JobHandler } from './job-queue.js';
export { QueueModule } from './queue.module.js';
export { Sweeper } from './sweeper.js';
