import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DeliveriesJob, DeliveriesResult } from './bare/deliveries-job.js';
import { parseOptions, type BenchOptions } from './options.js';
import { plantCrowd } from './plant/crowd.js';
import { someUserIds } from './plant/users.js';
import { profileRows } from './profile/profile-rows.js';
import type { ReceiverQuestion, Seen } from './receiver/receiver.js';
import { GOALS, type RowName } from './report/goals.js';
import { judge, renderTable, type JudgedRow, type Row } from './report/table.js';
import { measureAllowlist } from './rows/access.js';
import { measureCeremonies } from './rows/ceremonies.js';
import { measureDeliveries } from './rows/deliveries.js';
import { DOORS, measureDoors } from './rows/doors.js';
import { measureEventLatency } from './rows/event-latency.js';
import { measureGates } from './rows/gates.js';
import { measureGrowth } from './rows/growth.js';
import { measureLedger } from './rows/ledger.js';
import { measureMoney } from './rows/money.js';
import { measureRatios, measureWallets } from './rows/ratios.js';
import { measureRowSecurity } from './rows/row-security.js';
import { measureSigning } from './rows/signing.js';
import { measureStart } from './rows/start.js';
import { FEW_USERS, prepareGround, redisDatabase, startStack, type Stack } from './stack.js';
import { startBare } from './stack/bare.js';
import { Cleanup } from './stack/cleanup.js';
import { guard } from './stack/guarded.js';
import { signerOf, watchMemory } from './stack/memory.js';
import { Program, ROOT } from './stack/program.js';
import { startService } from './stack/service.js';

const REPORT = join(ROOT, '.cache/bench.json');
/**
 * Planted codes per millisecond of sign-ins; signing two tokens allows fewer. Some are for the allowlist and gates
 * rows.
 */
const CODES_PER_MS = 6;
const MONEY: readonly RowName[] = [
  'balances of 5 accounts and 50 tokens, cold',
  'balances of 5 accounts and 50 tokens, warm',
  'simulation, share beside the node',
];

const log = (line: string): void => console.error(`bench: ${line}`);

async function measure(stack: Stack, options: BenchOptions, cleanup: Cleanup): Promise<Row[]> {
  const { load, few, tenant } = stack;
  const wanted = (...rows: RowName[]): boolean => isWanted(options, rows);
  const rows: Row[] = [];
  if (wanted('memory, idle', 'memory of the signer, idle', 'start, schema in place')) {
    rows.push(...(await measureStart({ ...few, redisUrl: redisDatabase(few.redisUrl, 3) })));
  }

  const gateCodes = wanted('sign-in with three gates') ? tenant.codes.splice(tenant.codes.length >> 1) : [];
  const service = cleanup.add(await startService({ ...few, inProcess: options.inProcess }));
  const { databaseUrl, redisUrl } = few;
  const ground = await prepareGround(stack, { origin: service.origin, databaseUrl });
  const most = watchMemory(service.pid);
  const mostOfSigner = watchMemory(await signerOf(service.pid));
  const { environmentId } = tenant;
  const bare = cleanup.add(await startBare(databaseUrl, tenant));
  const scene = { load, course: options, service, bare, ground };
  rows.push(...(await measureRatios(scene, wanted, log)));
  // Runs before users without a wallet are given one.
  if (wanted('sign with a key of the service', 'memory of the signer, loaded')) {
    rows.push(await measureSigning(scene, databaseUrl));
    log('signatures measured');
  }
  if (wanted('create wallet, EVM and SOL', 'memory of the signer, loaded')) {
    rows.push(await measureWallets(scene, databaseUrl));
    log('wallets measured');
  }
  if (wanted('ledger verification, 100 000 rows')) rows.push(await measureLedger(few));
  if (wanted('sign-in with an allowlist of 100 000')) {
    const codes = tenant.codes.splice(tenant.codes.length >> 1);
    rows.push(await measureAllowlist({ load, course: options, service, ground, codes, databaseUrl, users: FEW_USERS }));
    log('sign-in with an allowlist measured');
  }
  if (wanted('FROST signature to its arithmetic', 'FROST, 50 signatures at once')) {
    rows.push(...(await measureCeremonies({ origin: service.origin, ground, course: options })));
    log('shared keys measured');
  }
  await bare.stop();
  if (wanted(...MONEY)) {
    const settings = { ...few, redisUrl: redisDatabase(redisUrl, 6) };
    rows.push(...(await measureMoney({ settings, ground, cleanup, rounds: options.rounds })));
    log('balances and simulations measured');
  }
  if (stack.guarded) {
    const { databaseUrl: planted } = stack.guarded;
    const guarded = cleanup.add(await guard(planted));
    const settings = { ...stack.guarded, databaseUrl: guarded.url, rowSecurity: true };
    const second = cleanup.add(await startService({ ...settings, inProcess: options.inProcess }));
    const { origin, pid } = second;
    // The service's role sees no rows without a tenant, so another role plants and looks up data.
    const there = await prepareGround(stack, { origin, databaseUrl: planted });
    const open = { origin: service.origin, pid: service.pid, ground };
    rows.push(...(await measureRowSecurity(load, options, { guarded: { origin, pid, ground: there }, open })));
    log('row-level security measured');
    await second.stop();
  }

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
  if (wanted('memory of the signer, loaded'))
    rows.push({ row: 'memory of the signer, loaded', figure: mostOfSigner() });
  else mostOfSigner();

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
  const apart = { load, course: options, few, tenant, cleanup };
  if (wanted(...DOORS)) rows.push(...(await measureDoors({ ...apart, people: FEW_USERS }, wanted, log)));
  if (gateCodes.length > 0) rows.push(await measureGates({ ...apart, codes: gateCodes, users: FEW_USERS }));
  return rows;
}

const GUARDED_ROWS: readonly RowName[] = [
  'session check with row-level security',
  'get user with row-level security',
  'create user with row-level security',
];

/** Whether any of the rows is selected; without a selection, all are. */
const isWanted = ({ rows }: BenchOptions, named: readonly RowName[]): boolean =>
  rows.size === 0 || named.some((row) => rows.has(row));

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
    const [growth, rowSecurity] = [options.growthUsers > 0, isWanted(options, GUARDED_ROWS)];
    const copies = options.profile ? { growth: false, rowSecurity: false } : { growth, rowSecurity };
    const stack = await startStack(cleanup, { codes, ...copies }, log);
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
