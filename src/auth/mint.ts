import type { EnvironmentId, OrganizationId } from '../database/index.js';

/**
 * Mints scopes. Only for code that has authorized its caller: the access guard, and jobs and operator commands that rebuild
 * a scope from a row. Enforced by a lint rule.
 */
export const mintEnvironmentId = (id: string): EnvironmentId => id as EnvironmentId;
export const mintOrganizationId = (id: string): OrganizationId => id as OrganizationId;
