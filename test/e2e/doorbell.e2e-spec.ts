import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getQueueToken } from '@nestjs/bull';
import type { Queue } from 'bull';
import { JobQueue } from '../../src/queue/index.js';
import { DOORBELL } from '../../src/queue/doorbell.processor.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/receiver.js';

describe('a ring through Redis', () => {
  let worker: TestApp;
  let api: TestApp;

  beforeAll(async () => {
    worker = await startTestApp({ redis: true });
    api = await startTestApp({ redis: true, env: { ROLE: 'api' } });
  });
  afterAll(async () => {
    await api.close();
    await worker.close();
  });

  it('is handled by an instance that has the handler', async () => {
    let runs = 0;
    worker.app.get(JobQueue).handle('test.answered', async () => void runs++);
    api.app.get(JobQueue).ring('test.answered');
    await eventually('an answer', () => runs > 0);
    expect(runs).toBe(1);
  });

  it('is redelivered when its handler fails, and removed once it succeeds', async () => {
    let runs = 0;
    worker.app.get(JobQueue).handle('test.failing', async () => {
      if (++runs < 3) throw new Error('on purpose');
    });
    api.app.get(JobQueue).ring('test.failing');
    await eventually('a third run', () => runs === 3);
    const queue = worker.app.get<Queue>(getQueueToken(DOORBELL), { strict: false });
    await eventually('an empty queue', async () => {
      const jobs = await queue.getJobs(['active', 'waiting', 'delayed', 'failed', 'completed']);
      return jobs.every((job) => job?.name !== 'test.failing');
    });
    expect(runs).toBe(3);
  });

  it('that arrives while the handler runs joins that run, so that no bell delays the others', async () => {
    let runs = 0;
    let go: () => void = () => undefined;
    const queue = worker.app.get(JobQueue);
    queue.handle('test.long', () => {
      runs++;
      return new Promise((resolve) => (go = resolve));
    });
    const first = queue.answer('test.long');
    await Promise.all(Array.from({ length: 100 }, () => queue.answer('test.long')));
    expect(runs).toBe(1);
    go();
    await eventually('the run for the others', () => runs === 2);
    go();
    expect(await first).toBe(true);
    expect(runs).toBe(2);
  });
});
