import { Body, Delete, Get, Post, Put } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Organization,
  RATE_RULES,
  RateLimited,
  RecentlyProven,
  type DashboardPrincipal,
  type OrganizationId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { DomainProofs } from './domain-proofs.service.js';
import { SsoProvider, SsoProviderCreateRequest, SsoProviderUpdateRequest } from './sso-provider.dto.js';
import { SSO_PROVIDER_CREATED, SSO_PROVIDER_DELETED, SSO_PROVIDER_UPDATED } from './sso-provider.events.js';
import { SsoProvidersService } from './sso-providers.service.js';

const LIMITS = ['The provider must answer within 5 seconds, with at most 64 KB'];

@ApiController('organizations/:organizationId/ssoProvider', 'Organizations')
export class SsoProvidersController {
  constructor(
    private readonly providers: SsoProvidersService,
    private readonly proofs: DomainProofs,
  ) {}

  @Get()
  @Operation({
    id: 'getSsoProviderForOrganization',
    summary: "Read the organization's SSO setup",
  })
  @Dashboard({ scope: null, role: 'admin' })
  @Returns(SsoProvider)
  getSsoProviderForOrganization(@Organization() organizationId: OrganizationId) {
    return this.providers.get(organizationId);
  }

  @Post()
  @Operation({
    id: 'createSsoProvider',
    idempotent: true,
    summary: "Create the organization's SSO setup",
    description:
      'The OpenID Connect configuration of the provider is fetched: it must name exactly the issuer that ssoDomain stands for, and https endpoints. If discovery fails, the request is refused and nothing is stored. Nobody can sign in with it until the email domain is proven: see `domainProof` and verifySsoDomain. Requires a proof from the last five minutes.',
    errors: [422],
    events: [SSO_PROVIDER_CREATED.name],
    limits: ['One setup per organization', ...LIMITS],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @RecentlyProven('console:sso:update')
  @Returns(SsoProvider, { status: 201 })
  createSsoProvider(
    @Organization() organizationId: OrganizationId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: SsoProviderCreateRequest,
    @CallWork() work: Work,
  ) {
    return this.providers.create(organizationId, request, caller, work);
  }

  @Put(':ssoProviderId')
  @Operation({
    id: 'updateSsoProvider',
    summary: "Change the organization's SSO setup",
    description:
      'Omitted fields keep their values. If ssoDomain is given, the provider is checked as on creation; only an owner can give another one, which could sign in as anyone of the proven domain. A new emailDomain must be proven again, and turns enforceOnlySSO off until then. Requires a proof from the last five minutes.',
    errors: [422],
    events: [SSO_PROVIDER_UPDATED.name],
    limits: LIMITS,
  })
  @Dashboard({ scope: null, role: 'admin' })
  @RecentlyProven('console:sso:update')
  @Returns(SsoProvider)
  updateSsoProvider(
    @Organization() organizationId: OrganizationId,
    @IdParam('ssoProviderId') id: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: SsoProviderUpdateRequest,
  ) {
    return this.providers.update(organizationId, id, request, caller);
  }

  @Post(':ssoProviderId/domainProof')
  @Operation({
    id: 'verifySsoDomain',
    summary: "Check the DNS proof of the setup's email domain",
    description:
      'Looks for the TXT record shown in `domainProof` of the setup. Once it has been seen, the setup is in effect: its people can sign in with it in the environments of the organization and, as members, at the console. A domain can be proven for only one organization at a time. Keep the record: it is checked again every day, and a DNS answer without it ends the proof and `enforceOnlySSO`. A missing record is not an error: `problem` explains it.',
    events: [SSO_PROVIDER_UPDATED.name],
    limits: ['The DNS must answer within 5 seconds'],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @RateLimited(RATE_RULES.domainProof)
  @Returns(SsoProvider)
  verifySsoDomain(
    @Organization() organizationId: OrganizationId,
    @IdParam('ssoProviderId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.proofs.look(organizationId, id, caller);
  }

  @Delete(':ssoProviderId')
  @Operation({
    id: 'deleteSsoProvider',
    summary: "Delete the organization's SSO setup",
    description:
      'People of its domain no longer have to sign in with it (`enforceOnlySSO`). Requires a proof from the last five minutes.',
    events: [SSO_PROVIDER_DELETED.name],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @RecentlyProven('console:sso:update')
  @ReturnsNothing()
  deleteSsoProvider(
    @Organization() organizationId: OrganizationId,
    @IdParam('ssoProviderId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.providers.delete(organizationId, id, caller);
  }
}
