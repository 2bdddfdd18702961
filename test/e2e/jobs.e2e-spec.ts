import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/common/ids.js';
import { Jobs } from '../../src/queue/index.js';
import { ScheduledJobsRepository } from '../../src/queue/jobs/scheduled-jobs.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createDatabase } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';

const DAY_MS = 86_400_000;
const NAME = 'test.nightly';

const until = (look: () => boolean | Promise<boolean>): Promise<boolean> =>
  eventually('the job', async () => (await look()) || null).then(Boolean);

interface Row {
  due_at: Date;
  claim: string | null;
  finished_at: Date | null;
}

describe('a job with a schedule', () => {
  let database: { url: string; drop(): Promise<void> };
  /** Runs no job, so that each test knows who does. */
  let reader: TestApp;
  const apps: TestApp[] = [];

  /** An instance that has the job, and what it does. */
  async function instance(work: () => Promise<void> = async () => undefined, name = NAME) {
    const test = await startTestApp({ databaseUrl: database.url });
    apps.push(test);
    const jobs = test.app.get(Jobs);
    let runs = 0;
    jobs.daily(name, '03:30', async () => {
      runs++;
      await work();
    });
    await jobs.look();
    return { test, jobs, runs: () => runs };
  }
  const rowOf = async (name = NAME): Promise<Row> =>
    (await rowsOf<Row>(reader, 'SELECT due_at, claim, finished_at FROM scheduled_jobs WHERE name = $1', [name]))[0]!;
  const makeDue = (ago: string, name = NAME) =>
    rowsOf(reader, 'UPDATE scheduled_jobs SET due_at = now() - $2::interval WHERE name = $1', [name, ago]);

  beforeAll(async () => {
    database = await createDatabase();
    reader = await startTestApp({ databaseUrl: database.url, env: { ROLE: 'api' } });
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((test) => test.close()));
  });
  afterAll(async () => {
    await reader.close();
    await database.drop();
  });

  it('waits for its time of day, in UTC, and is not run by a start', async () => {
    const one = await instance();
    const { due_at: due, finished_at: finished } = await rowOf();
    expect([due.getUTCHours(), due.getUTCMinutes(), finished]).toEqual([3, 30, null]);
    const wait = due.getTime() - Date.now();
    expect(wait).toBeGreaterThan(-1_000);
    expect(wait).toBeLessThanOrEqual(DAY_MS);
    expect(one.runs()).toBe(0);
  });

  it('is run by one of several instances, however often they poll, and then at its next time', async () => {
    const [one, two] = [await instance(), await instance()];
    await makeDue('1 second');
    await Promise.all(Array.from({ length: 50 }, () => [one.jobs.look(), two.jobs.look()]).flat());
    await until(async () => (await rowOf()).finished_at !== null);
    const all = (): number => one.runs() + two.runs();
    expect(all()).toBe(1);
    const { due_at: due, claim } = await rowOf();
    expect([due.getUTCHours(), due.getUTCMinutes(), claim]).toEqual([3, 30, null]);
    expect(due.getTime()).toBeGreaterThan(Date.now());
    await Promise.all([one.jobs.look(), two.jobs.look()]);
    expect(all()).toBe(1);
  });

  it('missed for days while nothing ran is made up for once', async () => {
    await makeDue('3 days');
    const before = (await rowOf()).finished_at!;
    const late = await instance();
    await until(async () => (await rowOf()).finished_at!.getTime() > before.getTime());
    expect(late.runs()).toBe(1);
    await late.jobs.look();
    expect(late.runs()).toBe(1);
  });

  it('that fails is due again when its lease ends, and not only tomorrow', async () => {
    const name = 'test.failing';
    let fail = true;
    const one = await instance(() => (fail ? Promise.reject(new Error('not yet')) : Promise.resolve()), name);
    await makeDue('1 second', name);
    await one.jobs.look();
    await until(async () => one.runs() === 1);
    const { due_at: due, finished_at: finished } = await rowOf(name);
    expect(finished).toBeNull();
    expect(due.getTime() - Date.now()).toBeLessThanOrEqual(60_000);
    fail = false;
    // The lease of a run whose process was killed ends in the same way.
    await makeDue('1 second', name);
    await until(async () => {
      await one.jobs.look();
      return (await rowOf(name)).finished_at !== null;
    });
    expect(one.runs()).toBe(2);
  });

  it('that ends because of a stop has not finished: it is due again when its lease ends', async () => {
    const name = 'test.interrupted';
    let jobs: Jobs | null = null;
    const one = await instance(() => until(() => jobs?.isStopping ?? false).then(() => undefined), name);
    jobs = one.jobs;
    await makeDue('1 second', name);
    await jobs.look();
    await until(() => one.runs() === 1);
    await one.test.close();
    const { due_at: due, finished_at: finished } = await rowOf(name);
    expect(finished).toBeNull();
    expect(due.getTime() - Date.now()).toBeLessThanOrEqual(60_000);
  });

  it('is finished only by the run that holds it', async () => {
    const name = 'test.overtaken';
    let go: () => void = () => undefined;
    const one = await instance(() => new Promise((resolve) => (go = resolve)), name);
    await makeDue('1 second', name);
    await one.jobs.look();
    await until(async () => one.runs() === 1);
    const other = '01890000-0000-7000-8000-000000000000';
    await rowsOf(reader, 'UPDATE scheduled_jobs SET claim = $2 WHERE name = $1', [name, other]);
    go();
    // The next run begins only when the first has come to its end.
    await until(async () => {
      await makeDue('1 second', name);
      await one.jobs.look();
      return one.runs() === 2;
    });
    expect((await rowOf(name)).finished_at).toBeNull();
    go();
    await until(async () => (await rowOf(name)).finished_at !== null);
  });

  it('keeps its lease only through the run that holds it', async () => {
    const name = 'test.leased';
    await rowsOf(reader, "INSERT INTO scheduled_jobs (name, due_at) VALUES ($1, now() - interval '1 second')", [name]);
    const rows = reader.app.get(ScheduledJobsRepository);
    const [before, holder] = [newId(), newId()];
    expect(await rows.claim([{ name, leaseMs: 1 }], before)).toEqual([name]);
    await until(async () => (await rows.claim([{ name, leaseMs: 1_000_000 }], holder)).length === 1);
    const leased = (await rowOf(name)).due_at;
    await rows.renew(name, before, 9_000_000);
    expect((await rowOf(name)).due_at).toEqual(leased);
    await rows.renew(name, holder, 9_000_000);
    expect((await rowOf(name)).due_at.getTime()).toBeGreaterThan(leased.getTime());
  });

  it('has one schedule', async () => {
    const { jobs } = await instance();
    expect(() => jobs.every(NAME, 1_000, async () => undefined)).toThrow('has a schedule already');
    expect(() => jobs.daily('test.odd', '25:00', async () => undefined)).toThrow(RangeError);
  });

  it('is not run on an instance that only serves requests', async () => {
    const jobs = reader.app.get(Jobs);
    jobs.daily('test.nobody', '00:00', async () => undefined);
    await jobs.look();
    expect(await rowOf('test.nobody')).toBeUndefined();
  });
});
