import type { BareProvider, BareSetup } from '../bare/setup.js';
import type { Tenant } from '../plant/tenant.js';
import { Program } from './program.js';
import { PUBLIC_URL } from './service.js';

/** The service's default pool size. */
const POOL = 15;

export interface BareServer {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The baseline on the same database, with the tenant's keys. */
export async function startBare(databaseUrl: string, tenant: Tenant, provider?: BareProvider): Promise<BareServer> {
  const program = Program.start<BareSetup, { port: number }>('bare/server.ts');
  const { environmentId, privateKey, kid, bareCodeKey: codeKey } = tenant;
  const issuer = `${new URL(PUBLIC_URL).host}/${environmentId}`;
  const setup = { databaseUrl, pool: POOL, environmentId, privateKey, kid, codeKey, issuer };
  const { port } = await program.ask({ ...setup, ...(provider && { provider }) });
  return { origin: `http://127.0.0.1:${port}`, pid: program.pid, stop: () => program.stop() };
}
