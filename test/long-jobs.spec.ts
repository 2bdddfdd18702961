import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '../src/common/ids.js';
import { LedgerHeadsJob } from '../src/custody/ledger/ledger-heads.job.js';
import { AuditHeadsJob } from '../src/organizations/audit/audit-heads.job.js';
import type { Database } from '../src/database/index.js';
import { EnvironmentsPurge } from '../src/organizations/environments/environments-purge.job.js';
import { ExportsJob } from '../src/reporting/exports/exports.job.js';
import { DeliveryJobs } from '../src/webhooks/delivery/delivery-jobs.js';
import { PurgeRepository } from '../src/webhooks/delivery/purge.repository.js';
import { NoticesJob } from '../src/webhooks/notices/notices.job.js';
import { RetentionJob } from '../src/webhooks/retention/retention.job.js';
import { captureLog } from './support/log.js';

/** Where a run without an end would be cut off. */
const ENDLESS = 10;

/** One step of work. Throws once the job has gone far beyond the step during which the stop began. */
type Step = () => void;

const now = async (): Promise<Date> => new Date();
const page = () => Array.from({ length: 500 }, () => ({ hash: Buffer.alloc(32), environmentId: newId(), sequence: 1 }));
const heads = (step: Step) => ({ listHeads: async () => (step(), page()) });
const empty = { remove: async () => 0, removeEnvironment: async () => undefined, tables: async () => ['users'] };
const manyFolders = async function* () {
  for (;;) yield await Promise.resolve([{ environmentId: newId(), exportId: newId() }]);
};

/** What a job is made of; only what its run uses. */
type Parts = readonly object[];
const made = <T>(job: new (...parts: never[]) => T, parts: Parts): T => new job(...(parts as never[]));

/** Jobs with endless work, each made of parts that say when a step is taken. */
const JOBS: [string, (jobs: object, step: Step) => () => Promise<unknown>][] = [
  [
    'the removal of old messages, from one page of environments to the next',
    (jobs, step) => {
      const cutoff = async () => ({});
      const retention = { deliveries: cutoff, messages: cutoff, events: cutoff };
      const rows = { listEnvironments: async () => (step(), [newId()]), remove: async () => 0 };
      const job = made(RetentionJob, [{}, jobs, retention, rows]);
      return () => job.run();
    },
  ],
  [
    'the removal of old messages, from one batch to the next',
    (jobs, step) => {
      const cutoff = async () => ({});
      const retention = { deliveries: cutoff, messages: cutoff, events: cutoff };
      const rows = { listEnvironments: async () => [newId()], remove: async () => (step(), 500) };
      const job = made(RetentionJob, [{}, jobs, retention, rows]);
      return () => job.run();
    },
  ],
  [
    'emails about disabled webhooks',
    (jobs, step) => {
      const notices = { take: async () => [{}, {}], remove: async () => step() };
      const job = made(NoticesJob, [notices, {}, {}, {}, { wipeExpired: async () => undefined }, jobs]);
      return () => job.run();
    },
  ],
  [
    'the removal of export folders',
    (jobs, step) => {
      const storage = { folders: manyFolders, remove: async () => step(), removeOlderThan: async () => step() };
      const exports = { listKept: async () => [] };
      const job = made(ExportsJob, [jobs, exports, {}, storage, { now }, { timestamp: Date.now }]);
      return () => job.sweep();
    },
  ],
  [
    'the removal of old files of exports',
    (jobs, step) => {
      const removeOlderThan = async (_: Date, isStopping: () => boolean) => {
        while (!isStopping()) step();
      };
      const storage = { folders: async function* () {}, removeOlderThan };
      const job = made(ExportsJob, [jobs, {}, {}, storage, { now }, { timestamp: Date.now }]);
      return () => job.sweep();
    },
  ],
  [
    'the removal of the messages of deleted webhooks',
    (jobs, step) => {
      const purge = new PurgeRepository({ execute: async () => (step(), 500) } as unknown as Database);
      const every = (_: string, __: number, run: () => Promise<void>) => Object.assign(jobs, { run });
      const bells = made(DeliveryJobs, [Object.assign(jobs, { every, sweep: () => undefined }), {}, {}, purge]);
      bells.onModuleInit();
      return (jobs as unknown as { run: () => Promise<void> }).run;
    },
  ],
  ['the heads of ledgers', (jobs, step) => () => made(LedgerHeadsJob, [jobs, heads(step)]).run()],
  ['the heads of audit trails', (jobs, step) => () => made(AuditHeadsJob, [jobs, heads(step)]).run()],
  [
    'the removal of deleted environments, from one to the next',
    (jobs, step) => {
      const ids = Array.from({ length: 20 }, newId);
      const deleted = { ...empty, listEnvironments: async () => ids, removeProjects: async () => step() };
      const rows = { ...empty, remove: async () => (step(), 0) };
      const job = made(EnvironmentsPurge, [deleted, rows, {}, jobs]);
      return () => job.run();
    },
  ],
  [
    'the removal of deleted environments, from one batch to the next',
    (jobs, step) => {
      const deleted = { ...empty, listEnvironments: async () => [newId()] };
      const rows = { ...empty, remove: async () => (step(), 500) };
      const job = made(EnvironmentsPurge, [deleted, rows, {}, jobs]);
      return () => job.run();
    },
  ],
];

// Heads are lines of it.
let log: ReturnType<typeof captureLog>;
beforeAll(() => void (log = captureLog()));
afterAll(() => log.stop());

it.each(JOBS)('a stop waits only for the step that is being taken by %s', async (_, make) => {
  const stop = { isStopping: false };
  let steps = 0;
  const run = make(stop, () => {
    if (++steps > ENDLESS) throw new Error('The job does not look whether the process stops.');
    if (steps === 3) stop.isStopping = true;
  });
  await run();
  expect(steps).toBe(3);
});
