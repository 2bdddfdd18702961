import type { TestApp } from '../app.js';
import { RawClient } from '../surface/raw-client.js';
import { Tenant } from '../surface/tenant.js';
import { service, type Installation } from './installation.js';

/** An application with a tenant that has a record of every kind, and a raw client. */
export interface TenantApp {
  readonly test: TestApp;
  readonly tenant: Tenant;
  readonly client: RawClient;
  close(): Promise<void>;
}

export async function startTenantApp({ start, surface }: Installation = service()): Promise<TenantApp> {
  const test = await start();
  try {
    const tenant = await Tenant.create(test, surface);
    const client = new RawClient(test.url);
    const close = async (): Promise<void> => {
      client.close();
      await tenant.close();
      await test.close();
    };
    return { test, tenant, client, close };
  } catch (error) {
    await test.close();
    throw error;
  }
}
