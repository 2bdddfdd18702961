import type { Statement } from '../statement.js';

/** The setting that the policies read; local to the transaction. */
export const TENANT_VARIABLE = 'gatehouse.tenant';

/** Its value for cross-tenant statements, each of which states its reason. */
export const EVERY_TENANT = '*';

/** For the connection of a program run by an operator. */
export const MEET_EVERY_TENANT = `SET ${TENANT_VARIABLE} = '${EVERY_TENANT}'`;

/**
 * The tenant whose rows a statement may access: that of its first parameter. Null if it accesses no tenant's rows.
 *
 * @throws Error for a scoped statement without a scope, to which no table would return a row
 */
export function tenantOf({ name, reach }: Statement, [scope]: readonly unknown[]): string | null {
  if (reach === 'deployment') return null;
  if (reach !== 'tenant') return EVERY_TENANT;
  if (typeof scope !== 'string') throw new Error(`The statement ${name} was given no scope.`);
  return scope;
}

/** Sets the tenant until the transaction ends. */
export const nameTenant = (tenant: string) => ({
  name: 'rowSecurity.nameTenant',
  text: `SELECT set_config('${TENANT_VARIABLE}', $1, true)`,
  values: [tenant],
});
