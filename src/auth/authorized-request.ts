import type { ServiceRequest } from '../common/http/request.js';
import type { EnvironmentId, OrganizationId } from '../database/index.js';
import type { Principal } from './principal.js';
import type { TenantEnvironment } from './tenant-directory.js';

/** A request after the guard: with its caller and the tenant that the call may access. */
export interface AuthorizedRequest extends ServiceRequest {
  principal: Principal;
  environment?: TenantEnvironment;
  environmentId?: EnvironmentId;
  organizationId?: OrganizationId;
}
