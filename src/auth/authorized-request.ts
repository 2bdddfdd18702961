import type { ServiceRequest } from '../common/http/request.js';
import type { EnvironmentId, OrganizationId } from '../database/index.js';
import type { Principal } from './principal.js';
import type { TenantEnvironment } from './tenant-directory.js';

/** A request as the guard leaves it: who calls, and which tenant the call may touch. */
export interface AuthorizedRequest extends ServiceRequest {
  principal: Principal;
  environment?: TenantEnvironment;
  environmentId?: EnvironmentId;
  organizationId?: OrganizationId;
}
