import { generateMasterKey } from '../../src/vault/index.js';
import { startTestPostgres } from './postgres-server.js';
import { startTestRedis } from './redis-server.js';

/** A server of a test run; `kill` is for when the run itself is being ended and nothing can be awaited. */
export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
  kill(): void;
}

const running: TestServer[] = [];

/** Starts what the end-to-end tests need, once per run, and passes it to the Jest workers in their environment. */
export async function startServices(): Promise<void> {
  process.once('exit', () => running.forEach((server) => server.kill()));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

  // One key for the run: sealed rows of a shared database must open in every test file.
  process.env['GATEHOUSE_TEST_MASTER_KEY'] = generateMasterKey();

  const postgres = await startTestPostgres();
  running.push(postgres);
  process.env['GATEHOUSE_TEST_PG'] = postgres.url;
  process.env['GATEHOUSE_TEST_TEMPLATE'] = postgres.template;

  const redis = await startTestRedis();
  running.push(redis);
  process.env['GATEHOUSE_TEST_REDIS'] = redis.url;
}

export async function stopServices(): Promise<void> {
  await Promise.all(running.splice(0).map((server) => server.stop()));
}
