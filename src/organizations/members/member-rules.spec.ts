import { describe, expect, it } from '@jest/globals';
import { ROLES, roleReaches, type Role } from '../../auth/index.js';
import { assertMayManage } from './member-rules.js';

/** By the role of who acts: the roles of members they may change or remove, and the roles they may give. */
const MAY: Record<Role, { manage: Role[]; give: Role[] }> = {
  owner: { manage: ['owner', 'admin', 'developer', 'viewer'], give: ['owner', 'admin', 'developer', 'viewer'] },
  admin: { manage: ['admin', 'developer', 'viewer'], give: ['admin', 'developer', 'viewer'] },
  developer: { manage: [], give: [] },
  viewer: { manage: [], give: [] },
};

const isAllowed = (actor: Role, member: Role, becomes: Role | null): boolean => {
  try {
    assertMayManage(actor, member, becomes);
    return true;
  } catch (error) {
    const code = roleReaches(actor, 'admin') ? 'forbidden' : 'role_withdrawn';
    expect(error).toMatchObject({ status: 403, code });
    return false;
  }
};

describe('the rules between members', () => {
  it.each(ROLES.values)('say whom %s may change, into what, and whom they may remove', (actor) => {
    const { manage, give } = MAY[actor];
    for (const member of ROLES.values) {
      expect([member, isAllowed(actor, member, null)]).toEqual([member, manage.includes(member)]);
      for (const role of ROLES.values) {
        const expected = manage.includes(member) && give.includes(role);
        expect([member, role, isAllowed(actor, member, role)]).toEqual([member, role, expected]);
      }
    }
  });
});
