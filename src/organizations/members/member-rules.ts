import { roleReaches, type Role } from '../../auth/index.js';
import { forbidden } from '../../common/errors/index.js';
import { roleWithdrawn } from './member.errors.js';

/**
 * Who may change whom: admins manage everybody but owners, owners everybody, and nobody gives a role above their own.
 * The least role stands at the handlers; whoever has less here has lost it since.
 *
 * @param becomes the new role of the member; null when they are removed
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
