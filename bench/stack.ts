import { startTestRedis } from '../test/support/redis-server.js';
import { generateMasterKey } from '../src/vault/index.js';
import type { LoadJob, LoadResult } from './load/load-job.js';
import { plantTenant, type Tenant } from './plant/tenant.js';
import { plantUsers, settle, someUserIds } from './plant/users.js';
import { signInRequest, type Ground } from './rows/operations.js';
import { ask } from './rows/same-shape.js';
import { buildService } from './stack/build.js';
import type { Cleanup } from './stack/cleanup.js';
import { startPostgres, type BenchPostgres } from './stack/postgres.js';
import { Program } from './stack/program.js';
import type { ServiceSettings } from './stack/service.js';

/** The number of users in the small database. */
export const FEW_USERS = 1000;
const SESSIONS = 64;
/** Redis database number; the lower ones are in use. */
const GUARDED_REDIS = 4;

export interface Stack {
  readonly postgres: BenchPostgres;
  readonly load: Program<LoadJob, LoadResult>;
  /** The database with few users; the others are copied on demand from its state before there were any. */
  readonly few: ServiceSettings;
  readonly many: ServiceSettings | null;
  /** For the row-level security of `guard`. */
  readonly guarded: ServiceSettings | null;
  readonly tenant: Tenant;
}

/** Another database of the same Redis, so that rate limit counters are separate. */
export function redisDatabase(url: string, database: number): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** Builds the service, starts the servers it needs and plants its tenant. The service is not running yet. */
export async function startStack(
  cleanup: Cleanup,
  wanted: { codes: number; growth: boolean; rowSecurity: boolean },
  log: (line: string) => void,
): Promise<Stack> {
  await buildService();
  const postgres = cleanup.add(await startPostgres());
  const redis = cleanup.add(await startTestRedis());
  const load = cleanup.add(Program.start<LoadJob, LoadResult>('load/load.ts'));
  log(`PostgreSQL ${postgres.version}, Node ${process.version}`);
  const masterKey = generateMasterKey();
  const databaseUrl = await postgres.createDatabase('few');
  const tenant = await plantTenant({ databaseUrl, masterKey, users: FEW_USERS, codes: wanted.codes });
  const few = { databaseUrl, redisUrl: redisDatabase(redis.url, 1), masterKey, environmentId: tenant.environmentId };
  const copy = async (name: string, database: number): Promise<ServiceSettings> => ({
    ...few,
    databaseUrl: await postgres.createDatabase(name, 'few'),
    redisUrl: redisDatabase(redis.url, database),
  });
  const many = wanted.growth ? await copy('many', 2) : null;
  const guarded = wanted.rowSecurity ? await copy('guarded', GUARDED_REDIS) : null;
  log(`an environment with ${tenant.codes.length} codes for each contender`);
  return { postgres, load, few, many, guarded, tenant };
}

/** Creates the users and signs some of them in through the service; returns the data for requests. */
export async function prepareGround(
  { load, tenant }: Pick<Stack, 'load' | 'tenant'>,
  { origin, databaseUrl }: { origin: string; databaseUrl: string },
): Promise<Ground> {
  await plantUsers(load, { origin, tenant, users: FEW_USERS });
  const sessionTokens: string[] = [];
  for (const code of tenant.codes.splice(0, SESSIONS)) {
    const signedIn = await ask(origin, signInRequest(tenant.environmentId, code), 200);
    sessionTokens.push((signedIn as { minifiedJwt: string }).minifiedJwt);
  }
  await settle(databaseUrl);
  return { tenant, userIds: await someUserIds(databaseUrl, tenant.environmentId, FEW_USERS), sessionTokens };
}
