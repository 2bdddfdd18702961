import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { forbidden, methodNotAllowed, notFound, unauthorized } from '../common/errors/index.js';
import { isUuid } from '../common/ids.js';
import { SecurityEvent } from '../common/security/index.js';
import { operationOf } from '../common/http/operation.js';
import { ProjectingAdapter, type ProjectedResponse } from '../common/http/projecting.adapter.js';
import { resultCarrierOf } from '../common/http/result-carrier.js';
import { ActionFactors, guardedActionOf, MFA_TOKEN_HEADER } from './action-factor.js';
import { accessOf, ownershipOf, type Access } from './access.js';
import { assertComplete } from './assurance.js';
import type { AuthorizedRequest } from './authorized-request.js';
import { DashboardGuard, EndUserGuard } from './bearer.guards.js';
import { homeOf } from './home.js';
import { mintEnvironmentId, mintOrganizationId } from './mint.js';
import type { DashboardPrincipal, EndUserPrincipal } from './principal.js';
import { roleReaches } from './roles.js';
import { assertAudience } from './service-token.js';
import { ELEVATED_TOKEN_HEADER, freshProofOf, recentProofOf, RecentProofs, StepUp } from './step-up.js';
import { assertMemberFactor } from './member-factors.js';
import { TenantDirectory, type TenantEnvironment } from './tenant-directory.js';
import { assertTokenUse } from './token-use.js';

/** The `Deprecation` date of the older variants of operations (RFC 9745): 2026-01-01. */
const DEPRECATED_SINCE = '@1767225600';

const HAS_EFFECT = 'Ask by GET: it has an effect, which looking must not have.';

type DashboardAccess = Extract<Access, { audience: 'dashboard' }>;
type EndUserAccess = Extract<Access, { audience: 'end-user' }>;

/**
 * Authorizes every call before its handler: who calls, which tenant the path names, and whether the caller has access to it.
 * Denies by default. The scopes it mints are the only way to a tenant's rows. A foreign tenant looks like a missing one.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly tenants: TenantDirectory,
    private readonly endUsers: EndUserGuard,
    private readonly dashboard: DashboardGuard,
    private readonly modules: ModuleRef,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Synchronous if there is nothing to wait for, which keeps public operations cheap. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const handler = context.getHandler();
    const access = accessOf(handler, context.getClass());
    if (!access) throw forbidden();
    if (access.audience === 'page') return true;
    // A message to a gateway carries no credential that could be verified here.
    if (context.getType() !== 'http') throw forbidden();
    const request = context.switchToHttp().getRequest<AuthorizedRequest>();
    const response = context.switchToHttp().getResponse<ProjectedResponse>();
    const operation = operationOf(handler);
    request.sessionErrors = operation?.sessionErrors === true;
    request.saysVerified = operation?.saysVerified === true;
    if (operation?.deprecated) response.setHeader('Deprecation', DEPRECATED_SINCE);
    const adapter = this.projecting();
    if (operation?.noHead && request.method === 'HEAD') {
      const { path } = request.route as { path: string };
      const methods = adapter.methodsOf(path).filter((method) => method !== 'HEAD');
      response.setHeader('Allow', methods.join(', '));
      throw methodNotAllowed({ hint: HAS_EFFECT });
    }
    response.carryResult = resultCarrierOf(handler);
    if (access.audience === 'dashboard') return this.admitDashboard(context, request, access);
    if (access.audience === 'public' && !('environmentId' in request.params)) {
      request.principal = { kind: 'anonymous' };
      return true;
    }
    const environment = this.environmentOf(request.params['environmentId']);
    const admit = (found: TenantEnvironment): boolean | Promise<boolean> => {
      enter(request, found);
      if (access.audience === 'end-user') return this.admitEndUser(context, request, access);
      request.principal = { kind: 'anonymous' };
      return true;
    };
    return environment instanceof Promise ? environment.then(admit) : admit(environment);
  }

  private async admitEndUser(
    context: ExecutionContext,
    request: AuthorizedRequest,
    { assurance: admits, endsReused, admitsCut }: EndUserAccess,
  ): Promise<true> {
    await this.endUsers.canActivate(context);
    if (request.principal.kind !== 'endUser') throw unauthorized();
    assertAudience(request.principal, context.getHandler());
    const isLeaving = admitsCut && request.principal.tokenUse === 'cut';
    if (!endsReused && !isLeaving) assertTokenUse(request.principal, context.getHandler());
    assertComplete(request.principal.scopes, { admits, documents403: documents403(context) });
    await this.assertFresh(context, request);
    await this.assertFactor(context, request.principal, request);
    return true;
  }

  private async assertFactor(
    context: ExecutionContext,
    caller: EndUserPrincipal,
    { headers }: AuthorizedRequest,
  ): Promise<void> {
    const action = guardedActionOf(context.getHandler());
    if (!action) return;
    const token = headers[MFA_TOKEN_HEADER];
    const factors = this.modules.get(ActionFactors, { strict: false });
    const environmentId = mintEnvironmentId(caller.environmentId);
    await factors.assertGiven(environmentId, caller, action, typeof token === 'string' ? token : null);
  }

  private async assertFresh(context: ExecutionContext, { principal, headers, body }: AuthorizedRequest): Promise<void> {
    const handler = context.getHandler();
    const [fresh, recent] = [freshProofOf(handler), recentProofOf(handler, body)];
    if (!fresh && !recent) return;
    // An API token is not a person: its scopes say what it may do.
    if (principal.kind !== 'endUser' && principal.kind !== 'dashboardUser') return;
    const given = headers[ELEVATED_TOKEN_HEADER];
    const token = typeof given === 'string' ? given : null;
    const home = principal.kind === 'endUser' ? mintEnvironmentId(principal.environmentId) : homeOf(principal);
    if (fresh) await this.modules.get(StepUp, { strict: false }).assertFresh(home, principal, fresh, token);
    if (recent) await this.modules.get(RecentProofs, { strict: false }).assertRecent(home, principal, recent, token);
  }

  /** Any other adapter would send results unprojected, with every column of their rows. */
  private projecting(): ProjectingAdapter {
    const { httpAdapter } = this.host;
    if (!(httpAdapter instanceof ProjectingAdapter)) throw new Error('The application needs the ProjectingAdapter.');
    return httpAdapter;
  }

  private async admitDashboard(
    context: ExecutionContext,
    request: AuthorizedRequest,
    access: DashboardAccess,
  ): Promise<true> {
    await this.dashboard.canActivate(context);
    const { principal } = request;
    if (principal.kind === 'environmentToken') {
      assertAudience(principal, context.getHandler());
      await this.admitToken(context, request, access);
    } else if (principal.kind === 'dashboardUser') await this.admitMember(context, request, access);
    else throw unauthorized();
    await this.assertFresh(context, request);
    return true;
  }

  private async admitToken(
    context: ExecutionContext,
    request: AuthorizedRequest,
    access: DashboardAccess,
  ): Promise<void> {
    const { principal } = request;
    if (principal.kind !== 'environmentToken') throw unauthorized();
    if (access.scope === null) {
      if (access.tokenRefusal === 401) throw unauthorized();
      throw forbidden({ hint: 'Only members of the organization may do this, not API tokens.' });
    }
    const target = await this.targetOf(context, request, principal);
    if (target.organizationId) throw foreignTenant();
    if (target.environmentId && target.environmentId !== principal.environmentId) throw foreignTenant();
    const environment = await this.environmentOf(principal.environmentId);
    if (access.scope !== 'any' && !principal.scopes.includes(access.scope)) {
      throw forbidden({ hint: `The API token needs the scope ${access.scope}.` });
    }
    // Otherwise members could use a token of theirs to do what their role does not allow.
    if (!roleReaches(principal.role, access.role)) {
      throw forbidden({ hint: `Whoever made the API token is ${principal.role}; this needs ${access.role}.` });
    }
    enter(request, environment);
  }

  private async admitMember(
    context: ExecutionContext,
    request: AuthorizedRequest,
    { role: leastRole }: DashboardAccess,
  ): Promise<void> {
    const { principal } = request;
    if (principal.kind !== 'dashboardUser') throw unauthorized();
    const target = await this.targetOf(context, request, principal);
    const environment = target.environmentId ? await this.environmentOf(target.environmentId) : null;
    const organizationId = environment ? environment.organizationId : target.organizationId;
    if (!environment && !organizationId) return;
    const membership = organizationId ? await this.tenants.findMembership(principal.userId, organizationId) : null;
    if (!organizationId || !membership) throw foreignTenant();
    const { role, factors } = membership;
    if (!roleReaches(role, leastRole)) throw forbidden({ hint: `Your role is ${role}; this needs ${leastRole}.` });
    assertMemberFactor(principal, factors);
    principal.role = role;
    if (environment) enter(request, environment);
    else request.organizationId = mintOrganizationId(organizationId);
  }

  /** The tenant named by the path, directly or through a record that it owns. */
  private async targetOf(
    context: ExecutionContext,
    request: AuthorizedRequest,
    caller: DashboardPrincipal,
  ): Promise<{ environmentId?: string; organizationId?: string }> {
    const { environmentId, organizationId } = request.params as Record<string, string | undefined>;
    if (environmentId !== undefined) return { environmentId: environmentId.toLowerCase() };
    if (organizationId !== undefined) {
      if (!isUuid(organizationId)) throw notFound();
      return { organizationId: organizationId.toLowerCase() };
    }
    const ownership = ownershipOf(context.getHandler());
    if (!ownership) return {};
    const id = request.params[ownership.param];
    const owner = isUuid(id)
      ? await this.modules.get(ownership.resolver, { strict: false }).findOwner(id.toLowerCase(), caller)
      : null;
    if (!owner) throw notFound({ security: SecurityEvent.RecordUnknown });
    return owner;
  }

  private environmentOf(id: unknown): TenantEnvironment | Promise<TenantEnvironment> {
    if (!isUuid(id)) throw notFound();
    const environment = this.tenants.findEnvironment(id.toLowerCase());
    return environment instanceof Promise ? environment.then(orNotFound) : environment;
  }
}

/** The same 404 as for a tenant that does not exist. */
const foreignTenant = (): Error => notFound({ security: SecurityEvent.TenantCrossed });

const documents403 = (context: ExecutionContext): boolean =>
  operationOf(context.getHandler())?.errors?.includes(403) === true;

function orNotFound(environment: TenantEnvironment | null): TenantEnvironment {
  if (!environment) throw notFound();
  return environment;
}

function enter(request: AuthorizedRequest, environment: TenantEnvironment): void {
  request.environment = environment;
  request.environmentId = mintEnvironmentId(environment.id);
}
