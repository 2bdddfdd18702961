import { Body, Delete, Get, Post, Put } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import {
  GlobalWalletAccessControlDomainCreateRequest,
  GlobalWalletAccessControlDomainResponse,
  GlobalWalletAccessControlResponse,
  GlobalWalletAccessControlUpdateRequest,
} from './access-control.dto.js';
import { AccessControlService } from './access-control.service.js';
import {
  ACCESS_CONTROL_CREATED,
  ACCESS_CONTROL_DISABLED,
  ACCESS_CONTROL_ENABLED,
  ACCESS_CONTROL_UPDATED,
  DOMAIN_CREATED,
  DOMAIN_DELETED,
} from './global-wallet.events.js';

const WRITE = { scope: 'environment.settings.write', role: 'developer' } as const;

@ApiController('environments/:environmentId/globalWallet/accessControl', 'GlobalWalletAccessControl')
export class GlobalWalletAccessControlController {
  constructor(private readonly access: AccessControlService) {}

  @Get()
  @Operation({ id: 'getGlobalWalletAccessControlList', summary: 'Read the domain access control of the global wallet' })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(GlobalWalletAccessControlResponse)
  getGlobalWalletAccessControlList(@Environment() environmentId: EnvironmentId) {
    return this.access.get(environmentId);
  }

  @Post()
  @Operation({
    id: 'createGlobalWalletAccessControl',
    idempotent: true,
    summary: 'Create the domain access control as allow or block',
    description: 'Created disabled, so that sites can be added first.',
    errors: [422],
    events: [ACCESS_CONTROL_CREATED.name],
    limits: ['one per environment'],
  })
  @Dashboard(WRITE)
  @Returns(GlobalWalletAccessControlResponse, { status: 201 })
  createGlobalWalletAccessControl(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() { type }: GlobalWalletAccessControlUpdateRequest,
    @CallWork() work: Work,
  ) {
    return this.access.create(environmentId, type, caller, work);
  }

  @Put()
  @Operation({
    id: 'updateGlobalWalletAccessControl',
    summary: 'Switch the access control between allow and block',
    description: 'The list of sites and the enabled state do not change.',
    errors: [422],
    events: [ACCESS_CONTROL_UPDATED.name],
  })
  @Dashboard(WRITE)
  @Returns(GlobalWalletAccessControlResponse)
  updateGlobalWalletAccessControl(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() { type }: GlobalWalletAccessControlUpdateRequest,
  ) {
    return this.access.update(environmentId, type, caller);
  }

  @Put('enable')
  @Operation({
    id: 'enableGlobalWalletAccessControl',
    summary: 'Turn the access control on',
    description: 'An enabled allow list without sites allows none.',
    errors: [422],
    events: [ACCESS_CONTROL_ENABLED.name],
  })
  @Dashboard(WRITE)
  @Returns(GlobalWalletAccessControlResponse)
  enableGlobalWalletAccessControl(@Environment() environmentId: EnvironmentId, @Caller() caller: DashboardPrincipal) {
    return this.access.setEnabled(environmentId, true, caller);
  }

  @Put('disable')
  @Operation({
    id: 'disableGlobalWalletAccessControl',
    summary: 'Turn the access control off',
    description: 'From then on every site is allowed.',
    errors: [422],
    events: [ACCESS_CONTROL_DISABLED.name],
  })
  @Dashboard(WRITE)
  @Returns(GlobalWalletAccessControlResponse)
  disableGlobalWalletAccessControl(@Environment() environmentId: EnvironmentId, @Caller() caller: DashboardPrincipal) {
    return this.access.setEnabled(environmentId, false, caller);
  }

  @Post('domains')
  @Operation({
    id: 'addGlobalWalletAccessControlDomain',
    idempotent: true,
    summary: 'Add a domain to the access control',
    description: 'Sites are matched like allowed origins: scheme, host and port, with a wildcard for one label.',
    errors: [422],
    events: [DOMAIN_CREATED.name],
    limits: ['100 sites', 'http: only localhost, in a sandbox', 'one wildcard, as the leftmost label'],
  })
  @Dashboard(WRITE)
  @Returns(GlobalWalletAccessControlDomainResponse, { status: 201 })
  addGlobalWalletAccessControlDomain(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() { domain }: GlobalWalletAccessControlDomainCreateRequest,
    @CallWork() work: Work,
  ) {
    return this.access.addDomain(environmentId, domain, caller, work);
  }

  @Delete('domains/:globalWalletAccessControlDomainId')
  @Operation({
    id: 'deleteGlobalWalletAccessControlDomainById',
    summary: 'Remove a domain from the access control',
    errors: [422],
    events: [DOMAIN_DELETED.name],
  })
  @Dashboard(WRITE)
  @ReturnsNothing()
  deleteGlobalWalletAccessControlDomainById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('globalWalletAccessControlDomainId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.access.deleteDomain(environmentId, id, caller);
  }
}
