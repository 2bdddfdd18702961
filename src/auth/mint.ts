import type { EnvironmentId, OrganizationId } from '../database/index.js';

/**
 * Makes scopes. Called where a caller has been checked: by the access guard, and by jobs and operator programs that
 * rebuild a scope from a row. Lint keeps everyone else out.
 */
export const mintEnvironmentId = (id: string): EnvironmentId => id as EnvironmentId;
export const mintOrganizationId = (id: string): OrganizationId => id as OrganizationId;
