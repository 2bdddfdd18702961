import { roleReaches, type Role } from '../../auth/index.js';
import { forbidden } from '../../common/errors/index.js';

/**
 * Who may change whom: admins manage everybody but owners, owners everybody, and nobody gives a role above their own.
 *
 * @param becomes the new role of the member; null when they are removed
 * @throws forbidden with a hint that names the rule
 */
export function assertMayManage(actor: Role, member: Role, becomes: Role | null): void {
  if (!roleReaches(actor, 'admin')) throw forbidden({ hint: `Your role is ${actor}; this needs admin.` });
  if (!roleReaches(actor, member))
    throw forbidden({ hint: `Your role is ${actor}; only an owner may change an owner.` });
  if (becomes && !roleReaches(actor, becomes)) {
    throw forbidden({ hint: `Your role is ${actor}; nobody gives a role above their own.` });
  }
}
