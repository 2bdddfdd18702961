import { describe, expect, it, jest } from '@jest/globals';
import type { TenantEnvironment } from '../auth/index.js';
import { OrganizationDirectory } from './organization-directory.js';

type Arguments = ConstructorParameters<typeof OrganizationDirectory>;

const sandbox: TenantEnvironment = { id: 'e', kind: 'sandbox', organizationId: 'o', enforcesSso: false };

function directory(findTenant: (id: string) => Promise<TenantEnvironment | null>) {
  const findTenants = jest.fn(async (ids: readonly string[]) => {
    const found = await Promise.all(ids.map(findTenant));
    return new Map(found.flatMap((each) => (each ? [[each.id, each] as const] : [])));
  });
  const environments = { findTenants } as Partial<Arguments[0]> as Arguments[0];
  return new OrganizationDirectory(environments, {} as Arguments[1], {} as Arguments[2]);
}

const afterASecond = () => new Promise((resolve) => setTimeout(resolve, 1_050));

describe('the directory of environments', () => {
  it('stays able to name an environment while the database is away', async () => {
    let isAway = false;
    const tenants = directory(async () => {
      if (isAway) throw new Error('no connection');
      return sandbox;
    });
    expect(await tenants.findEnvironment('e')).toEqual(sandbox);
    isAway = true;
    await afterASecond();
    expect(await tenants.findEnvironment('e')).toEqual(sandbox);
    await expect(directory(() => Promise.reject(new Error('no connection'))).findEnvironment('e')).rejects.toThrow(
      'no connection',
    );
  });

  it('forgets an environment within a second once it is gone', async () => {
    let isGone = false;
    const tenants = directory(async () => (isGone ? null : sandbox));
    expect(await tenants.findEnvironment('e')).toEqual(sandbox);
    isGone = true;
    await afterASecond();
    expect(await tenants.findEnvironment('e')).toBeNull();
  });

  it('knows for an outage what a token has read, and nothing that was deleted or is gone', async () => {
    let answer = (): TenantEnvironment | null => null;
    const tenants = directory(async () => answer());
    tenants.remember(sandbox);
    expect(tenants.knownEnvironment('e')).toEqual(sandbox);
    await afterASecond();
    answer = () => {
      throw new Error('no connection');
    };
    expect(await tenants.findEnvironment('e')).toEqual(sandbox);
    tenants.forget('e');
    expect(tenants.knownEnvironment('e')).toBeNull();
    await expect(tenants.findEnvironment('e')).rejects.toThrow('no connection');
    tenants.remember(sandbox);
    await afterASecond();
    answer = () => null;
    expect(await tenants.findEnvironment('e')).toBeNull();
    expect(tenants.knownEnvironment('e')).toBeNull();
  });

  it('that nobody has are not looked up again for a while', async () => {
    let asked = 0;
    const tenants = directory(async () => {
      asked += 1;
      return null;
    });
    for (let call = 0; call < 20; call++) expect(await tenants.findEnvironment('e')).toBeNull();
    expect(asked).toBe(1);
    expect(await tenants.findEnvironment('f')).toBeNull();
    expect(asked).toBe(2);
  });
});
