import { roleReaches, type Role } from '../../auth/index.js';
import { forbidden } from '../../common/errors/index.js';
import { roleWithdrawn } from './member.errors.js';

/**
 * Who may change whom: admins manage everybody but owners, owners manage everybody, and nobody grants a role above
 * their own. Handlers declare the minimum role; a caller below it here has lost it since the guard checked.
 *
 * @param becomes the member's new role; null to remove them
 * @throws forbidden with a hint that names the rule, roleWithdrawn
 */
export function assertMayManage(actor: Role, member: Role, becomes: Role | null): void {
  if (!roleReaches(actor, 'admin')) throw roleWithdrawn();
  if (!roleReaches(actor, member))
    throw forbidden({ hint: `Your role is ${actor}; only an owner may change an owner.` });
  if (becomes && !roleReaches(actor, becomes)) {
    throw forbidden({ hint: `Your role is ${actor}; nobody gives a role above their own.` });
  }
}
