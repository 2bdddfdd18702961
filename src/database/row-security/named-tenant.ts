import type { Statement } from '../statement.js';

/** The variable that the policies read; the transaction has it and nobody after. */
export const TENANT_VARIABLE = 'gatehouse.tenant';

/** What stands there for statements across tenants, of which each says why it is one. */
export const EVERY_TENANT = '*';

/** For the connection of a program that an operator runs. */
export const MEET_EVERY_TENANT = `SET ${TENANT_VARIABLE} = '${EVERY_TENANT}'`;

/**
 * The tenant whose rows a statement may meet: that of its first parameter. Null where it meets no tenant's.
 *
 * @throws Error for a scoped statement without a scope, which no table would give a row
 */
export function tenantOf({ name, reach }: Statement, [scope]: readonly unknown[]): string | null {
  if (reach === 'deployment') return null;
  if (reach !== 'tenant') return EVERY_TENANT;
  if (typeof scope !== 'string') throw new Error(`The statement ${name} was given no scope.`);
  return scope;
}

/** Names the tenant until the transaction ends. */
export const nameTenant = (tenant: string) => ({
  name: 'rowSecurity.nameTenant',
  text: `SELECT set_config('${TENANT_VARIABLE}', $1, true)`,
  values: [tenant],
});
