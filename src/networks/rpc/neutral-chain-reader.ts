import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { DeploymentNetworks } from './deployment-networks.js';
import { RpcChainReader } from './rpc-chain-reader.js';
import { RpcTransport } from './rpc-transport.js';

/**
 * Reads chains through nodes that no tenant has chosen, for decisions between tenants: an environment's own node may
 * return whatever its team likes.
 */
@Injectable()
export class NeutralChainReader extends RpcChainReader {
  constructor(networks: DeploymentNetworks, transport: RpcTransport, clock: Clock) {
    super(networks, transport, clock);
  }
}
