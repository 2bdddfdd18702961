import { Client, type Dispatcher } from 'undici';
import { monotonicMs } from '../monotonic.js';
import { percentile } from '../report/statistics.js';
import type { LoadJob, LoadRequest, LoadResult } from './load-job.js';

/** Runs a load job on keep-alive connections and reports; a separate process, so that it shares no core. */
process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));

const MAX_UNIQUE_DIGITS = 36;

async function run(job: LoadJob): Promise<LoadResult> {
  const clients = Array.from({ length: job.connections }, () => new Client(job.origin, { pipelining: 1 }));
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const stamps: [string, number][] = [];
  const start = monotonicMs();
  const deadline = start + job.durationMs;
  let used = 0;
  let lastAnswer = start;

  const next = (): LoadRequest | undefined => job.requests[job.repeat ? used % job.requests.length : used];
  const fail = (what: string): void => {
    failures[what] = (failures[what] ?? 0) + 1;
  };

  await Promise.all(
    clients.map(
      (client) =>
        new Promise<void>((resolve) => {
          const sendNext = (): void => {
            const request = next();
            const now = monotonicMs();
            if (request === undefined || now >= deadline) return resolve();
            const unique = `${job.label}-${used.toString(MAX_UNIQUE_DIGITS)}`;
            used += 1;
            if (job.stamps) stamps.push([unique, now]);
            const finish = (): void => {
              if (job.pauseMs) setTimeout(sendNext, job.pauseMs);
              else sendNext();
            };
            client.dispatch(
              {
                method: request.method,
                path: request.path,
                headers: request.headers,
                body: request.body?.replaceAll('{unique}', unique) ?? null,
              },
              new Exchange(
                (status) => {
                  lastAnswer = monotonicMs();
                  if (status === job.status) latencies.push(lastAnswer - now);
                  else fail(`status ${status}`);
                  finish();
                },
                (error) => {
                  fail(error.message);
                  setTimeout(finish, 10);
                },
              ),
            );
          };
          sendNext();
        }),
    ),
  );
  await Promise.all(clients.map((client) => client.close()));
  if (latencies.length === 0)
    throw new Error(`No request was answered with ${job.status}: ${JSON.stringify(failures)}`);
  return {
    answers: latencies.length,
    perSecond: (latencies.length * 1000) / (lastAnswer - start),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    used,
    failures,
    stamps,
  };
}

/** Reads a response to its end and discards it. */
class Exchange implements Dispatcher.DispatchHandler {
  private status = 0;

  constructor(
    private readonly answered: (status: number) => void,
    private readonly failed: (error: Error) => void,
  ) {}

  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.status = status;
  }

  onResponseData(): void {}

  onResponseEnd(): void {
    this.answered(this.status);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.failed(error);
  }
}
