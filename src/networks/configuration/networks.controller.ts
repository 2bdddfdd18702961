import { Get } from '@nestjs/common';
import { Environment, Public, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { ClientNetworks } from './client-networks.js';
import { NetworkConfigurationResponse } from './network-configuration.dto.js';

@ApiController('sdk/:environmentId/networks', 'Sdk')
export class NetworksController {
  constructor(private readonly networks: ClientNetworks) {}

  @Get()
  @Operation({
    id: 'getNetworksConfigurationByEnvId',
    summary: 'Give clients the configuration of the enabled networks',
    description:
      'The networks that the settings enable, by chain: catalogue networks, with their CAIP-2 id in `key`, and the custom networks of the organization. At most one second old.',
  })
  @Public()
  @Returns(NetworkConfigurationResponse, { list: true })
  getNetworksConfigurationByEnvId(@Environment() environmentId: EnvironmentId) {
    return this.networks.get(environmentId);
  }
}
