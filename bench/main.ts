import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DeliveriesJob, DeliveriesResult } from './bare/deliveries-job.js';
import type { BareSetup } from './bare/setup.js';
import { parseOptions, type BenchOptions } from './options.js';
import { plantCrowd } from './plant/crowd.js';
import { someUserIds } from './plant/users.js';
import { profileRows } from './profile/profile-rows.js';
import type { ReceiverQuestion, Seen } from './receiver/receiver.js';
import { GOALS, type RowName } from './report/goals.js';
import { judge, renderTable, type JudgedRow, type Row } from './report/table.js';
import { measureDeliveries } from './rows/deliveries.js';
import { measureEventLatency } from './rows/event-latency.js';
import { measureGrowth } from './rows/growth.js';
import { measureRatios, measureWallets } from './rows/ratios.js';
import { measureStart } from './rows/start.js';
import { FEW_USERS, prepareGround, redisDatabase, startStack, type Stack } from './stack.js';
import { Cleanup } from './stack/cleanup.js';
import { watchMemory } from './stack/memory.js';
import { Program, ROOT } from './stack/program.js';
import { PUBLIC_URL, startService } from './stack/service.js';

const REPORT = join(ROOT, '.cache/bench.json');
/** Sign-ins a millisecond that codes are planted for; signing two tokens allows fewer. */
const CODES_PER_MS = 2;
/** As many connections as the service opens by itself. */
const POOL = 15;

const log = (line: string): void => console.error(`bench: ${line}`);

async function measure(stack: Stack, options: BenchOptions, cleanup: Cleanup): Promise<Row[]> {
  const { load, few, tenant } = stack;
  const wanted = (...rows: RowName[]): boolean => options.rows.size === 0 || rows.some((row) => options.rows.has(row));
  const rows: Row[] = [];
  if (wanted('memory, idle', 'start, schema in place')) {
    rows.push(...(await measureStart({ ...few, redisUrl: redisDatabase(few.redisUrl, 3) })));
  }

  const service = cleanup.add(await startService({ ...few, inProcess: options.inProcess }));
  const { databaseUrl, redisUrl } = few;
  const ground = await prepareGround(stack, { origin: service.origin, databaseUrl });
  const most = watchMemory(service.pid);
  const bare = cleanup.add(Program.start<BareSetup, { port: number }>('bare/server.ts'));
  const { environmentId, privateKey, kid, bareCodeKey } = tenant;
  const { port } = await bare.ask({
    ...{ databaseUrl, pool: POOL, environmentId, privateKey, kid, codeKey: bareCodeKey },
    issuer: `${new URL(PUBLIC_URL).host}/${environmentId}`,
  });
  const bareServer = { origin: `http://127.0.0.1:${port}`, pid: bare.pid };
  const scene = { load, course: options, service, bare: bareServer, ground };
  rows.push(...(await measureRatios(scene, wanted, log)));
  if (wanted('create wallet, EVM and SOL')) rows.push(await measureWallets(scene, databaseUrl));
  await bare.stop();

  const receiver = cleanup.add(Program.start<ReceiverQuestion, Seen>('receiver/receiver.ts'));
  const place = { origin: service.origin, pid: service.pid, ground, receiver };
  if (wanted('event to receiver, idle', 'event to receiver, 100 a second', 'event to receiver, 16 connections')) {
    rows.push(...(await measureEventLatency({ ...place, load, roundMs: options.roundMs })));
    log('events measured');
  }
  if (wanted('webhook deliveries', 'deliveries to Bull + POST + row')) {
    const deliverer = cleanup.add(Program.start<DeliveriesJob, DeliveriesResult>('bare/deliveries.ts'));
    const { messages, rounds } = options;
    rows.push(...(await measureDeliveries({ ...place, databaseUrl, redisUrl, bare: deliverer, messages, rounds })));
    await deliverer.stop();
    log('deliveries measured');
  }
  if (wanted('memory, loaded')) rows.push({ row: 'memory, loaded', figure: most() });
  else most();

  if (stack.many && wanted('growth of get user', 'growth of list of 50', 'growth of create user')) {
    const crowded = cleanup.add(await startService(stack.many));
    const { origin, pid } = crowded;
    const there = await prepareGround(stack, { origin, databaseUrl: stack.many.databaseUrl });
    await plantCrowd({ databaseUrl: stack.many.databaseUrl, tenant, total: options.growthUsers }, log);
    const userIds = await someUserIds(stack.many.databaseUrl, environmentId, FEW_USERS);
    const many = { origin, pid, ground: { ...there, userIds } };
    rows.push(
      ...(await measureGrowth(load, options, { few: { origin: service.origin, pid: service.pid, ground }, many })),
    );
    await crowded.stop();
  }
  await service.stop();
  return rows;
}

function publish(rows: readonly Row[], { postgres }: Stack, options: BenchOptions): JudgedRow[] {
  const names = Object.keys(GOALS);
  const judged = rows.map(judge).sort((a, b) => names.indexOf(a.row) - names.indexOf(b.row));
  mkdirSync(dirname(REPORT), { recursive: true });
  const { rounds, roundMs, messages, growthUsers } = options;
  const run = { rounds, roundMs, messages, growthUsers, postgres: postgres.version, node: process.version };
  writeFileSync(REPORT, `${JSON.stringify({ at: new Date().toISOString(), run, rows: judged }, null, 2)}\n`);
  console.log(renderTable(judged));
  return judged;
}

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  const cleanup = new Cleanup();
  try {
    const codes = Math.ceil((options.rounds + 1) * options.roundMs * CODES_PER_MS) + FEW_USERS;
    const stack = await startStack(cleanup, { codes, growth: options.growthUsers > 0 && !options.profile }, log);
    if (options.profile) {
      console.log(await profileRows(stack, options));
      return 0;
    }
    const judged = publish(await measure(stack, options, cleanup), stack, options);
    return options.assert && judged.some(({ verdict }) => verdict === 'MISSED') ? 1 : 0;
  } finally {
    await cleanup.run();
  }
}

main().then(
  (status) => process.exit(status),
  (error: Error) => {
    console.error(error.stack ?? error.message);
    process.exit(1);
  },
);
