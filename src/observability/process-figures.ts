import type { Database } from '../database/index.js';
import type { JobQueue } from '../queue/index.js';
import { gauge, type Metric, type MetricSource } from './metric.js';

const REDIS_PATIENCE_MS = 300;

/** Metrics of this process's connections and jobs. */
export class ProcessFigures implements MetricSource {
  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
  ) {}

  async metrics(): Promise<Metric[]> {
    const { total, idle, waiting } = this.database.load;
    const jobs = this.queue.figures();
    return [
      {
        name: 'gatehouse_database_connections',
        help: 'Connections to PostgreSQL by state.',
        type: 'gauge',
        values: [
          { value: total - idle, labels: { state: 'busy' } },
          { value: idle, labels: { state: 'idle' } },
        ],
      },
      gauge('gatehouse_database_waiting', 'Requests that wait for a connection to PostgreSQL.', waiting),
      {
        name: 'gatehouse_job_runs_total',
        help: 'Runs of jobs in the background.',
        type: 'counter',
        values: jobs.map(({ bell, runs }) => ({ value: runs, labels: { bell } })),
      },
      {
        name: 'gatehouse_job_failures_total',
        help: 'Runs of jobs that failed; their work stays due.',
        type: 'counter',
        values: jobs.map(({ bell, failures }) => ({ value: failures, labels: { bell } })),
      },
      gauge(
        'gatehouse_queue_up',
        'Whether the carrier of wake-ups, Redis where configured, takes them.',
        await this.up(),
      ),
    ];
  }

  private async up(): Promise<0 | 1> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('late')), REDIS_PATIENCE_MS);
    try {
      return (await Promise.race([this.queue.takesRings(), late])) ? 1 : 0;
    } catch {
      return 0;
    } finally {
      clearTimeout(timer);
    }
  }
}
