import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../../bench/stack/postgres.js';
import { freePort } from '../../test/support/ports.js';
import { MIGRATIONS } from '../../src/database/migrations.js';
import { buildOf } from '../builds/variant.js';
import { judge, landed } from '../checkers/finding.js';
import { Instance } from '../servers/instance.js';
import type { World } from '../world/world.js';
import type { Fault } from './fault.js';

const INSTANCES = 4;
const POLL_MS = 10;
/** Extra databases, for those on which one instance finished before another asked: they show nothing. */
const SPARE = 4;

interface Outcome {
  readonly wrong: string[];
  readonly started: number;
  /** The maximum number of instances that waited to migrate at the same time. */
  readonly met: number;
  readonly ms: number;
}

/** Starts instances on an empty database. */
async function startAll(world: World, trial: number): Promise<Outcome> {
  const { postgres, masterKey } = world.ground;
  const database = `chaos_fresh_${trial}`;
  await postgres.createDatabase(database);
  world.add({ stop: () => postgres.dropDatabase(database) });
  // Their logs are checked as well: they are below the world's folder.
  const folder = join(world.folder, database);
  mkdirSync(folder);
  const environment = {
    ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PUBLIC_URL: 'http://gatehouse.chaos.example', SEED: 'false' },
    ...{ DATABASE_URL: postgres.url(database), MASTER_KEY: masterKey, REDIS_URL: world.redis.url() },
    ...{ SMTP_URL: 'smtp://127.0.0.1:1', DATABASE_POOL: '4' },
  };
  const root = await buildOf('production');
  const instances: Instance[] = [];
  for (let index = 0; index < INSTANCES; index += 1) {
    const role = index % 2 === 0 ? ('api' as const) : ('worker' as const);
    const wish = { name: `fresh${index + 1}`, role, root, port: await freePort(), folder, environment };
    instances.push(world.add(new Instance(wish)));
  }
  const from = performance.now();
  const started = new AbortController();
  const meeting = mostAtTheLock(world, database, started.signal);
  const outcomes = await Promise.allSettled(instances.map((instance) => instance.start()));
  started.abort();
  const met = await meeting;
  const ms = performance.now() - from;
  const wrong = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [(outcome.reason as Error).message.slice(0, 400)] : [],
  );
  wrong.push(...(await unlessEachOnce(postgres.url(database))));
  await Promise.all(instances.map((instance) => instance.stop()));
  return { wrong, started: INSTANCES - outcomes.filter(({ status }) => status === 'rejected').length, met, ms };
}

/** Watches how many connections request the lock at the same time. */
async function mostAtTheLock({ ground }: World, database: string, until: AbortSignal): Promise<number> {
  return ground.postgres.ask(async (client) => {
    let most = 0;
    while (!until.aborted) {
      const { rows } = await client.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = $1 AND query ~ 'pg_try_advisory_lock'`,
        [database],
      );
      most = Math.max(most, rows[0]?.count ?? 0);
      await delay(POLL_MS);
    }
    return most;
  });
}

async function unlessEachOnce(url: string): Promise<string[]> {
  const { rows } = await withClient(url, async (client) => {
    // If no instance has started migrating, none has been applied.
    const found = await client.query<{ found: boolean }>(`SELECT to_regclass('migrations') IS NOT NULL AS found`);
    if (!found.rows[0]?.found) return { rows: [] };
    return client.query<{ name: string; count: number }>(
      'SELECT name, count(*)::int AS count FROM migrations GROUP BY name',
    );
  });
  const counts = new Map(rows.map(({ name, count }) => [name, count]));
  return MIGRATIONS.filter(({ name }) => counts.get(name) !== 1).map(
    ({ name }) => `${name} was applied ${counts.get(name) ?? 0} times`,
  );
}

export const migratedAtOnce: Fault = {
  id: 'F21',
  title: 'Four instances start at once on an empty database',
  criterion: 'every instance starts; each migration is applied once',
  stack: { apis: 1, workers: 1, hooks: 1 },
  async run(world, size) {
    const trials = size === 'full' ? 10 : 2;
    const wrong: string[] = [];
    const took: number[] = [];
    let [tried, started, met] = [0, 0, 0];
    while (met < trials && tried < trials + SPARE) {
      const outcome = await startAll(world, tried);
      tried += 1;
      wrong.push(...outcome.wrong.map((problem) => `database ${tried}: ${problem}`));
      took.push(outcome.ms);
      started += outcome.started;
      if (outcome.met > 1) met += 1;
    }
    return {
      figures: {
        ...{
          databases: tried,
          instances: tried * INSTANCES,
          started,
          metAtTheLock: met,
          migrations: MIGRATIONS.length,
        },
        startedAfterMs: `${Math.round(Math.min(...took))}–${Math.round(Math.max(...took))}`,
      },
      findings: [
        landed(met, trials, 'databases that several instances wanted to migrate at one time'),
        judge('starts and migrations', `${started} of ${tried * INSTANCES} started`, wrong),
      ],
    };
  },
};
