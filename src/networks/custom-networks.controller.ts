import { Body, Delete, Get, Post, Put } from '@nestjs/common';
import { Caller, Dashboard, Organization, type DashboardPrincipal, type OrganizationId } from '../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../common/http/operation.js';
import { IdParam } from '../common/http/params.js';
import { CallWork, type Work } from '../idempotency/index.js';
import { CustomNetworkRequest, CustomNetworkResponse, CustomNetworksResponse } from './custom-network.dto.js';
import { CUSTOM_NETWORK_CREATED, CUSTOM_NETWORK_DELETED, CUSTOM_NETWORK_UPDATED } from './custom-network.events.js';
import { CustomNetworksService } from './custom-networks.service.js';

const ADDRESSES = 'URLs: https, public hostname, port 443 or 8443';
const ONCE = 'one network per networkType and chainId, where ETH and EVM are one type';
const USE =
  'To offer the network to the clients of an environment, enable it in its settings: an entry in `chains[].networks` with `type` custom and the number of the network as `networkId`.';

@ApiController('organizations/:organizationId/customNetworks', 'CustomNetworks')
export class CustomNetworksController {
  constructor(private readonly networks: CustomNetworksService) {}

  @Get()
  @Operation({ id: 'getCustomNetworks', summary: "List the organization's custom networks" })
  @Dashboard({ scope: null, role: 'viewer' })
  @Returns(CustomNetworksResponse)
  getCustomNetworks(@Organization() organizationId: OrganizationId) {
    return this.networks.list(organizationId);
  }

  @Post()
  @Operation({
    id: 'createCustomNetwork',
    idempotent: true,
    summary: 'Create a custom network for the organization',
    description: USE,
    errors: [422],
    events: [CUSTOM_NETWORK_CREATED.name],
    limits: ['100 custom networks in an organization', ONCE, ADDRESSES],
  })
  @Dashboard({ scope: null, role: 'developer' })
  @Returns(CustomNetworkResponse, { status: 201 })
  createCustomNetwork(
    @Organization() organizationId: OrganizationId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: CustomNetworkRequest,
    @CallWork() work: Work,
  ) {
    return this.networks.create(organizationId, request, caller, work);
  }

  @Get(':networkId')
  @Operation({ id: 'getCustomNetwork', summary: 'Read one custom network' })
  @Dashboard({ scope: null, role: 'viewer' })
  @Returns(CustomNetworkResponse)
  getCustomNetwork(@Organization() organizationId: OrganizationId, @IdParam('networkId') id: string) {
    return this.networks.get(organizationId, id);
  }

  @Put(':networkId')
  @Operation({
    id: 'updateCustomNetwork',
    summary: 'Change a custom network',
    description:
      'Settings and gates name a network by its `networkType` and `chainId`: to those that name the old ones, a change is a deletion.',
    errors: [422],
    events: [CUSTOM_NETWORK_UPDATED.name],
    limits: [ONCE, ADDRESSES],
  })
  @Dashboard({ scope: null, role: 'developer' })
  @Returns(CustomNetworkResponse)
  updateCustomNetwork(
    @Organization() organizationId: OrganizationId,
    @IdParam('networkId') id: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: CustomNetworkRequest,
  ) {
    return this.networks.update(organizationId, id, request, caller);
  }

  @Delete(':networkId')
  @Operation({
    id: 'deleteCustomNetwork',
    summary: 'Delete a custom network',
    description:
      'Environments whose settings enable it no longer offer it to their clients. Gates with a rule on it stay, and nobody meets them: if enabled, one with the outcome siteAccess admits nobody, and one with block keeps everybody out. `getGateTrial` then answers the reason `unknown_network`.',
    events: [CUSTOM_NETWORK_DELETED.name],
  })
  @Dashboard({ scope: null, role: 'developer' })
  @ReturnsNothing()
  deleteCustomNetwork(
    @Organization() organizationId: OrganizationId,
    @IdParam('networkId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.networks.delete(organizationId, id, caller);
  }
}
