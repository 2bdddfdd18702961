import { freePort } from '../../test/support/ports.js';
import { buildOf } from '../builds/variant.js';
import { Instance, type Environment } from '../servers/instance.js';
import type { Closer } from './closing.js';
import type { Ground } from './ground.js';
import type { StackWish } from './stack-wish.js';

/** The same for every instance, so that each accepts the tokens of the others. */
const PUBLIC_URL = 'http://gatehouse.chaos.example';

interface Addresses {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly sinkPort: number;
}

/** Production settings. On loopback only the sink may be called. */
export const settingsOf = ({ masterKey }: Ground, { databaseUrl, redisUrl, sinkPort }: Addresses): Environment => ({
  ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PUBLIC_URL, SEED: 'false', LOG_LEVEL: 'log' },
  ...{ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, MASTER_KEY: masterKey },
  ...{ TRUST_PROXY: '127.0.0.1', RATE_LIMIT_SCALE: '1000000', EGRESS_ALLOW: `127.0.0.1:${sinkPort}` },
  // Users in the faults create organizations themselves.
  ORGANIZATIONS: 'open',
  // A mail server must be set; nothing is sent.
  SMTP_URL: 'smtp://127.0.0.1:1',
});

/** Starts all of them; whatever was started is stopped by the cleanup. */
export async function startInstances(
  stack: Required<StackWish>,
  folder: string,
  settings: Environment,
  cleanup: Closer,
): Promise<{ apis: Instance[]; workers: Instance[] }> {
  const root = await buildOf(stack.build);
  const make = async (role: 'api' | 'worker', index: number): Promise<Instance> => {
    const environment = { ...settings, ...stack[role] };
    const port = await freePort();
    return cleanup.add(new Instance({ name: `${role}${index + 1}`, role, root, port, folder, environment }));
  };
  const several = (role: 'api' | 'worker', count: number): Promise<Instance[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => make(role, index)));
  const apis = await several('api', stack.apis);
  const workers = await several('worker', stack.workers);
  await Promise.all([...apis, ...workers].map((instance) => instance.start()));
  return { apis, workers };
}
