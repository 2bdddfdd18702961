import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from '../options.js';
import { OPERATIONS, walletRequest, type Ground, type Operation } from '../rows/operations.js';
import { race, summary } from '../rows/race.js';
import { ownersWithoutWallet } from '../rows/ratios.js';
import { signRequests } from '../rows/signing.js';
import { prepareGround, redisDatabase, type Stack } from '../stack.js';
import { startService, type Service } from '../stack/service.js';
import { timesOf, type CpuProfile, type Time } from './cpu-profile.js';

/** Redis databases from this number on are unused. */
const FIRST_DATABASE = 4;
const OWNERS = 15;
const FUNCTIONS = 60;

/** For each row, the service's functions in which its requests spend their time. */
export async function profileRows(stack: Stack, options: BenchOptions): Promise<string> {
  const preparing = await startService(stack.few);
  const { ground, operations } = await prepare(stack, preparing, options).finally(() => preparing.stop());
  const parts: string[] = [];
  for (const [index, operation] of operations.entries()) {
    const settings = { ...stack.few, redisUrl: redisDatabase(stack.few.redisUrl, FIRST_DATABASE + index) };
    parts.push(await profileRow({ ...stack, few: settings }, ground, operation, options));
  }
  if (parts.length === 0) throw new Error(`No profile is made of ${[...options.rows].join('; ')}.`);
  return parts.join('\n\n');
}

/** The selected operations. A separate, unprofiled service creates what they need. */
async function prepare(
  stack: Stack,
  service: Service,
  { rounds, roundMs, rows }: BenchOptions,
): Promise<{ ground: Ground; operations: Operation[] }> {
  const { databaseUrl } = stack.few;
  const wanted = ({ row }: Pick<Operation, 'row'>): boolean => rows.size === 0 || rows.has(row);
  const ground = await prepareGround(stack, { origin: service.origin, databaseUrl });
  const scene = { load: stack.load, course: { rounds, roundMs }, service, ground };
  const operations = OPERATIONS.filter(wanted);
  const making = { row: 'create wallet, EVM and SOL', status: 201, repeat: false } as const;
  if (wanted(making)) {
    const emails = await ownersWithoutWallet(scene, databaseUrl);
    operations.push({ ...making, requests: ({ tenant }) => emails.map((email) => walletRequest(tenant, email)) });
  }
  const signing = { row: 'sign with a key of the service', status: 200, repeat: true } as const;
  if (wanted(signing)) {
    const signatures = await signRequests(scene, databaseUrl);
    operations.push({ ...signing, requests: () => signatures });
  }
  return { ground, operations };
}

async function profileRow(stack: Stack, ground: Ground, operation: Operation, options: BenchOptions): Promise<string> {
  const { row, status, repeat } = operation;
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-profile-'));
  try {
    const nodeOptions = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
    const service = await startService({ ...stack.few, nodeOptions });
    const course = {
      rounds: options.rounds,
      roundMs: options.roundMs,
      label: row.replaceAll(' ', '-'),
      status,
      repeat,
    };
    const contender = { origin: service.origin, pid: service.pid, requests: operation.requests(ground, 'service') };
    const [results = []] = await race(stack.load, course, [contender]).finally(() => service.stop());
    const [file] = readdirSync(folder);
    if (file === undefined) throw new Error('The service left no profile.');
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
    const { functions, owners } = timesOf(profile, service.startMs);
    const title = `${row}: ${Math.round(summary(results).perSecond)} a second`;
    return [title, '', ...lines(owners, OWNERS), '', ...lines(functions, FUNCTIONS)].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const lines = (times: readonly Time[], most: number): string[] =>
  times.slice(0, most).map(({ name, milliseconds, share }) => {
    const figures = [`${(share * 100).toFixed(1).padStart(5)} %`, `${milliseconds.toFixed(0).padStart(6)} ms`];
    return `${figures.join(' ')}  ${name}`;
  });
