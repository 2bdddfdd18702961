import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { DeploymentNetworks } from './deployment-networks.js';
import { RpcChainReader } from './rpc-chain-reader.js';
import { RpcTransport } from './rpc-transport.js';

/**
 * Reads chains by nodes that no tenant has chosen, for what is decided between tenants: a node of an environment may say
 * whatever its team likes.
 */
@Injectable()
export class NeutralChainReader extends RpcChainReader {
  constructor(networks: DeploymentNetworks, transport: RpcTransport, clock: Clock) {
    super(networks, transport, clock);
  }
}
