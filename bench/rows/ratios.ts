import type { LoadJob, LoadRequest, LoadResult } from '../load/load-job.js';
import { settle, walletlessEmails } from '../plant/users.js';
import { pairedRatio } from '../report/statistics.js';
import type { RowName } from '../report/goals.js';
import type { Row } from '../report/table.js';
import type { Program } from '../stack/program.js';
import { OPERATIONS, walletRequest, type Ground } from './operations.js';
import { race, rates, summary, type Round } from './race.js';
import { ask, differences } from './same-shape.js';

interface Server {
  readonly origin: string;
  readonly pid: number;
}

export interface Scene {
  readonly load: Program<LoadJob, LoadResult>;
  readonly course: { readonly rounds: number; readonly roundMs: number };
  readonly service: Server;
  readonly bare: Server;
  readonly ground: Ground;
}

const CREATE = OPERATIONS.find(({ row }) => row === 'create user')!;
const WALLETS = 'wallets';

type Log = (line: string) => void;

/** The service and the bare server in turns, operation by operation. */
export async function measureRatios(scene: Scene, wanted: (row: RowName) => boolean, log: Log): Promise<Row[]> {
  const { load, course, service, bare, ground } = scene;
  const rows: Row[] = [];
  for (const { row, status, repeat, requests } of OPERATIONS.filter((operation) => wanted(operation.row))) {
    const contenders = [
      { ...pick(service), requests: requests(ground, 'service') },
      { ...pick(bare), requests: requests(ground, 'bare') },
    ];
    const [mine, yardstick] = await Promise.all(
      contenders.map((contender) => ask(contender.origin, first(contender.requests, repeat), status)),
    );
    const label = row.replaceAll(' ', '-');
    const [results = [], bareResults = []] = await race(load, { ...course, label, status, repeat }, contenders);
    const { perSecond, p50, p99, cpuPerAnswer } = summary(results);
    const yard = summary(bareResults);
    const figure = pairedRatio(rates(results), rates(bareResults));
    const cost = `${cpuPerAnswer.toFixed(3)} ms of processor an answer, bare ${yard.cpuPerAnswer.toFixed(3)}`;
    const note = [cost, differences(mine, yardstick)].filter(Boolean).join('; ');
    rows.push({ row, service: perSecond, bare: yard.perSecond, p50, p99, figure, note });
    log(`${row}: ${figure.toFixed(2)}`);
  }
  return rows;
}

/** Emails of users without a wallet; users are created first, so there are enough however few rows are measured. */
export async function ownersWithoutWallet(scene: Omit<Scene, 'bare'>, databaseUrl: string): Promise<string[]> {
  const { load, course, service, ground } = scene;
  const makers = { ...pick(service), requests: CREATE.requests(ground, 'service') };
  await race(load, { ...course, label: WALLETS, status: CREATE.status, repeat: true }, [makers]);
  return walletlessEmails(databaseUrl, ground.tenant.environmentId, 50_000);
}

/** Wallets for users without one, in turns with user creation by the same service. */
export async function measureWallets(scene: Scene, databaseUrl: string): Promise<Row> {
  const { load, course, service, ground } = scene;
  const emails = await ownersWithoutWallet(scene, databaseUrl);
  const makers = { ...pick(service), requests: CREATE.requests(ground, 'service') };
  const owners = { ...pick(service), requests: emails.map((email) => walletRequest(ground.tenant, email)) };
  // Statistics of formerly empty tables lead to bad plans; a minute later autovacuum has updated them.
  await race(load, { ...course, label: WALLETS, status: CREATE.status, rounds: 1, repeat: false }, [owners]);
  await settle(databaseUrl);
  const users: Round[] = [];
  const wallets: Round[] = [];
  for (let round = 0; round < course.rounds; round += 1) {
    const one = { ...course, rounds: 1, label: WALLETS, status: CREATE.status };
    users.push(...(await race(load, { ...one, repeat: true }, [makers])).flat());
    wallets.push(...(await race(load, { ...one, repeat: false }, [owners])).flat());
  }
  const { perSecond, p50, p99, cpuPerAnswer } = summary(wallets);
  const beside = summary(users);
  const note = `${cpuPerAnswer.toFixed(3)} ms of processor an answer; create user ${Math.round(beside.perSecond)} a second beside it at ${beside.cpuPerAnswer.toFixed(3)}`;
  const figure = pairedRatio(rates(wallets), rates(users));
  return { row: 'create wallet, EVM and SOL', service: perSecond, p50, p99, figure, note };
}

const pick = ({ origin, pid }: Server): Server => ({ origin, pid });

function first(requests: LoadRequest[], repeat: boolean): LoadRequest {
  const request = repeat ? requests[0] : requests.shift();
  if (request === undefined) throw new Error('An operation has no requests.');
  return request;
}
