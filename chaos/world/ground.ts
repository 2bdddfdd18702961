import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plantTenant, type Tenant } from '../../bench/plant/tenant.js';
import type { Cleanup } from '../../bench/stack/cleanup.js';
import { generateMasterKey } from '../../src/vault/index.js';
import { ChaosPostgres } from '../servers/postgres.js';

/** Sign-ins available to one fault; each has its own address. */
const CODES = 2000;
const TEMPLATE = 'planted';

/** The starting point of every fault: a server with a database that contains one organization and no users. */
export interface Ground {
  readonly postgres: ChaosPostgres;
  readonly version: string;
  readonly masterKey: string;
  readonly tenant: Tenant;
  /** For files of this run. */
  readonly folder: string;
  /** Creates a separate database for a fault. */
  createDatabase(name: string): Promise<void>;
}

export async function prepareGround(cleanup: Cleanup, keep: boolean): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-chaos-'));
  cleanup.add({
    stop: async () =>
      keep ? console.error(`chaos: kept ${folder}`) : rmSync(folder, { recursive: true, force: true }),
  });
  const postgres = cleanup.add(await ChaosPostgres.start());
  const masterKey = generateMasterKey();
  await postgres.createDatabase(TEMPLATE);
  const databaseUrl = postgres.url(TEMPLATE);
  const tenant = await plantTenant({ databaseUrl, masterKey, users: CODES, codes: CODES });
  return {
    ...{ postgres, masterKey, tenant, folder },
    version: await postgres.version(),
    createDatabase: (name) => postgres.createDatabase(name, TEMPLATE),
  };
}
