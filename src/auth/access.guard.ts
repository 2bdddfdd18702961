import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { forbidden, notFound, unauthorized } from '../common/errors/index.js';
import { isUuid } from '../common/ids.js';
import { operationOf } from '../common/http/operation.js';
import { ProjectingAdapter, type ProjectedResponse } from '../common/http/projecting.adapter.js';
import { resultCarrierOf } from '../common/http/result-carrier.js';
import { accessOf, ownershipOf, type Access } from './access.js';
import { assertComplete } from './assurance.js';
import type { AuthorizedRequest } from './authorized-request.js';
import { DashboardGuard, EndUserGuard } from './bearer.guards.js';
import { homeOf } from './home.js';
import { mintEnvironmentId, mintOrganizationId } from './mint.js';
import type { DashboardPrincipal } from './principal.js';
import { roleReaches } from './roles.js';
import { ELEVATED_TOKEN_HEADER, freshProofOf, StepUp } from './step-up.js';
import { TenantDirectory, type TenantEnvironment } from './tenant-directory.js';
import { assertTokenUse } from './token-use.js';

/** RFC 9745: the date since when the older variants of operations are deprecated (2026-01-01). */
const DEPRECATED_SINCE = '@1767225600';

type DashboardAccess = Extract<Access, { audience: 'dashboard' }>;
type EndUserAccess = Extract<Access, { audience: 'end-user' }>;

/**
 * Decides every call, before any handler: who calls, which tenant the path names, and whether the two go together.
 * Closed by default. The scopes it mints are the only way to a tenant's rows. A foreign tenant looks like a missing one.
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

  /** Answers at once where nothing has to be waited for, which is what makes public operations cheap. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const handler = context.getHandler();
    const access = accessOf(handler, context.getClass());
    if (!access) throw forbidden();
    if (access.audience === 'page') return true;
    const request = context.switchToHttp().getRequest<AuthorizedRequest>();
    const response = context.switchToHttp().getResponse<ProjectedResponse>();
    const operation = operationOf(handler);
    request.sessionErrors = operation?.sessionErrors === true;
    if (operation?.deprecated) response.setHeader('Deprecation', DEPRECATED_SINCE);
    this.assertProjecting();
    response.carryResult = resultCarrierOf(handler);
    if (access.audience === 'dashboard') return this.admitDashboard(context, request, access);
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
    { assurance: admits, endsReused }: EndUserAccess,
  ): Promise<true> {
    await this.endUsers.canActivate(context);
    if (request.principal.kind !== 'endUser') throw unauthorized();
    if (!endsReused) assertTokenUse(request.principal, context.getHandler());
    assertComplete(request.principal.scopes, { admits, documents403: documents403(context) });
    await this.assertFresh(context, request);
    return true;
  }

  private async assertFresh(context: ExecutionContext, { principal, headers }: AuthorizedRequest): Promise<void> {
    const scope = freshProofOf(context.getHandler());
    if (!scope) return;
    // An API token is no person: what it may do, its scopes say.
    if (principal.kind !== 'endUser' && principal.kind !== 'dashboardUser') return;
    const token = headers[ELEVATED_TOKEN_HEADER];
    const stepUp = this.modules.get(StepUp, { strict: false });
    const home = principal.kind === 'endUser' ? mintEnvironmentId(principal.environmentId) : homeOf(principal);
    await stepUp.assertFresh(home, principal, scope, typeof token === 'string' ? token : null);
  }

  /** Another adapter would send results as they are, with every column of their rows. */
  private assertProjecting(): void {
    if (!(this.host.httpAdapter instanceof ProjectingAdapter))
      throw new Error('The application needs the ProjectingAdapter.');
  }

  private async admitDashboard(
    context: ExecutionContext,
    request: AuthorizedRequest,
    access: DashboardAccess,
  ): Promise<true> {
    await this.dashboard.canActivate(context);
    const { principal } = request;
    if (principal.kind === 'environmentToken') await this.admitToken(context, request, access);
    else if (principal.kind === 'dashboardUser') await this.admitMember(context, request, access);
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
    if (target.organizationId) throw notFound();
    if (target.environmentId && target.environmentId !== principal.environmentId) throw notFound();
    const environment = await this.environmentOf(principal.environmentId);
    if (!principal.scopes.includes(access.scope)) {
      throw forbidden({ hint: `The API token needs the scope ${access.scope}.` });
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
    const role = organizationId ? await this.tenants.findRole(principal.userId, organizationId) : null;
    if (!organizationId || !role) throw notFound();
    if (!roleReaches(role, leastRole)) throw forbidden({ hint: `Your role is ${role}; this needs ${leastRole}.` });
    principal.role = role;
    if (environment) enter(request, environment);
    else request.organizationId = mintOrganizationId(organizationId);
  }

  /** The tenant that the path names, directly or through the owner of a record. */
  private async targetOf(
    context: ExecutionContext,
    request: AuthorizedRequest,
    caller: DashboardPrincipal,
  ): Promise<{ environmentId?: string; organizationId?: string }> {
    const { environmentId, organizationId } = request.params as Record<string, string | undefined>;
    if (environmentId !== undefined) return { environmentId };
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
    if (!owner) throw notFound();
    return owner;
  }

  private environmentOf(id: unknown): TenantEnvironment | Promise<TenantEnvironment> {
    if (!isUuid(id)) throw notFound();
    const environment = this.tenants.findEnvironment(id.toLowerCase());
    return environment instanceof Promise ? environment.then(orNotFound) : environment;
  }
}

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
