import { operationOf } from '../common/http/operation.js';
import { accessOf } from './access.js';
import { ROLE_MATRIX } from './role-matrix.js';
import type { Role } from './roles.js';

const known = new WeakMap<object, Role>();

/**
 * The least role of a member who may call a dashboard operation: its row of the matrix, or, for an operation of an
 * extension, what its `@Dashboard` says. Two sources could disagree, so an operation has exactly one.
 *
 * @throws Error when it has none or both
 */
export function leastRoleOf(handler: object): Role {
  const found = known.get(handler);
  if (found) return found;
  const access = accessOf(handler);
  const id = operationOf(handler)?.id ?? '(a handler without @Operation)';
  const listed = Object.hasOwn(ROLE_MATRIX, id) ? ROLE_MATRIX[id] : undefined;
  const stated = access?.audience === 'dashboard' ? access.role : undefined;
  if (listed && stated) throw new Error(`${id} names a role, and has a row in src/auth/role-matrix.ts as well.`);
  const role = listed ?? stated;
  if (!role) throw new Error(`${id} has no row in src/auth/role-matrix.ts.`);
  known.set(handler, role);
  return role;
}
