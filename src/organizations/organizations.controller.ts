import { Body, Get, Post, Put } from '@nestjs/common';
import { Caller, Dashboard, Organization as Scope, RATE_RULES, RateLimited } from '../auth/index.js';
import type { DashboardUserPrincipal, OrganizationId } from '../auth/index.js';
import { ApiController, Operation, Returns } from '../common/http/operation.js';
import { CallWork, type Work } from '../idempotency/index.js';
import { MEMBER_ADDED } from './members/member.events.js';
import {
  Organization,
  OrganizationAddressFields,
  OrganizationFields,
  OrganizationRequest,
  OrganizationResponse,
  OrganizationsResponse,
} from './organization.dto.js';
import { MAX_ORGANIZATIONS } from './organization.errors.js';
import { ORGANIZATION_CREATED, ORGANIZATION_UPDATED } from './organization.events.js';
import { OrganizationsService } from './organizations.service.js';

@ApiController('organizations', 'Organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @Operation({
    id: 'getOrganizationsForMember',
    summary: 'List the organizations the caller belongs to',
    limits: [`${MAX_ORGANIZATIONS} organizations for a person`],
  })
  @Dashboard({ scope: null, role: 'viewer', tokenRefusal: 401 })
  @Returns(OrganizationsResponse)
  getOrganizationsForMember(@Caller() caller: DashboardUserPrincipal) {
    return this.organizations.listOf(caller.userId);
  }

  @Post()
  @Operation({
    id: 'createOrganization',
    idempotent: true,
    summary: 'Create an organization',
    description:
      "Any dashboard user can create organizations if the deployment allows it, which it does not in production unless the operator enables it; they become the owner. Names must be unique only among the caller's organizations. A new organization has no project.",
    errors: [422],
    events: [ORGANIZATION_CREATED.name, MEMBER_ADDED.name],
    limits: [`${MAX_ORGANIZATIONS} organizations for a person`],
  })
  @Dashboard({ scope: null, role: 'viewer', tokenRefusal: 401 })
  @RateLimited(RATE_RULES.organizationsMade)
  @Returns(OrganizationResponse)
  createOrganization(
    @Caller() caller: DashboardUserPrincipal,
    @Body() request: OrganizationRequest,
    @CallWork() work: Work,
  ) {
    return this.organizations.create(request, caller, work);
  }

  @Get(':organizationId')
  @Operation({ id: 'getOrganizationById', summary: 'Read one organization' })
  @Dashboard({ scope: null, role: 'viewer' })
  @Returns(Organization)
  getOrganizationById(@Scope() organizationId: OrganizationId, @Caller() caller: DashboardUserPrincipal) {
    return this.organizations.get(organizationId, caller.userId);
  }

  @Put(':organizationId')
  @Operation({
    id: 'updateOrganizationById',
    summary: "Change an organization's name, description or site",
    description: 'Omitted fields keep their values; an empty description or site removes it.',
    errors: [422],
    events: [ORGANIZATION_UPDATED.name],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @Returns(OrganizationResponse)
  updateOrganizationById(
    @Scope() organizationId: OrganizationId,
    @Caller() caller: DashboardUserPrincipal,
    @Body() request: OrganizationFields,
  ) {
    return this.organizations.update(organizationId, request, caller);
  }

  @Put(':organizationId/address')
  @Operation({
    id: 'updateOrganizationAddressById',
    summary: "Change an organization's postal address",
    description: 'Replaces the whole address: omitted lines are removed.',
    errors: [422],
    events: [ORGANIZATION_UPDATED.name],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @Returns(OrganizationResponse)
  updateOrganizationAddressById(
    @Scope() organizationId: OrganizationId,
    @Caller() caller: DashboardUserPrincipal,
    @Body() request: OrganizationAddressFields,
  ) {
    return this.organizations.updateAddress(organizationId, request, caller);
  }
}
