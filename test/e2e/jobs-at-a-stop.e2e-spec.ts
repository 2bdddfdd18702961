import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { JobQueue, Jobs } from '../../src/queue/index.js';
import { startTestApp } from '../support/app.js';
import { captureLog } from '../support/log.js';

describe.each([false, true])('a stop, with Redis: %s', (redis) => {
  it('waits for running jobs and starts none, while the database is still available', async () => {
    const log = captureLog();
    const test = await startTestApp({ redis });
    const [queue, jobs, database] = [test.app.get(JobQueue), test.app.get(Jobs), test.app.get(DataSource)];
    const ends: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      await delay(300);
      await database.query('SELECT 1').then(
        () => ends.push(`${name} done`),
        (error: Error) => ends.push(`${name} ${error.message}`),
      );
      // Another one is due as soon as this one has ended.
      queue.ring('probe.rung');
    };
    queue.handle('probe.rung', work('rung'));
    jobs.every('probe.scheduled', 50, work('scheduled'));
    queue.ring('probe.rung');
    await jobs.look();
    await delay(100);
    void jobs.look();
    await test.close();
    await delay(400);
    log.stop();
    expect(ends.filter((end) => !end.endsWith('done'))).toEqual([]);
    expect(ends).toContain('rung done');
    expect(log.text()).not.toMatch(/after (calling )?end|pool|will be retried/);
  }, 30_000);
});
