/* eslint-disable no-restricted-syntax -- a caller with a role in an organization has it in all of its environments */
import { mintEnvironmentId, type EnvironmentId, type TenantEnvironment } from '../../auth/index.js';

/** The scope of another environment in the organization that the caller administers; null for any other. */
export const sourceScope = (
  source: TenantEnvironment | null,
  target: TenantEnvironment | null,
): EnvironmentId | null =>
  source?.organizationId && source.organizationId === target?.organizationId ? mintEnvironmentId(source.id) : null;
