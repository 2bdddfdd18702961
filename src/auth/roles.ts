import { defineEnum, type EnumValue } from '../common/fields/index.js';

/** Roles of an organization's members, the most powerful first. */
export const ROLES = defineEnum('RoleEnum', ['owner', 'admin', 'developer', 'viewer']);
export type Role = EnumValue<typeof ROLES>;

/** True when `role` may do what `required` may do. */
export const roleReaches = (role: Role, required: Role): boolean =>
  ROLES.values.indexOf(role) <= ROLES.values.indexOf(required);
