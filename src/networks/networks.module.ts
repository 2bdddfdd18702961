import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EgressPolicy } from '../outbound/index.js';
import { Config } from '../config/index.js';
import { EnvironmentsModule } from '../environments/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { ClientNetworks } from './configuration/client-networks.js';
import { NetworksController } from './configuration/networks.controller.js';
import { CustomNetworkRow } from './custom-network.entity.js';
import { CustomNetworksController } from './custom-networks.controller.js';
import { CustomNetworksRepository } from './custom-networks.repository.js';
import { CustomNetworksService } from './custom-networks.service.js';
import { NetworkUrls } from './network-urls.js';
import { OrganizationNetworks } from './organization-networks.js';
import { ChainReader } from './rpc/chain-reader.js';
import { RpcChainReader } from './rpc/rpc-chain-reader.js';
import { RpcNetworks } from './rpc/rpc-networks.js';
import { RpcTransport } from './rpc/rpc-transport.js';

/** Browsers are sent to these addresses too, so plain http is never right; operators open hosts with `EGRESS_ALLOW`. */
const PUBLIC_HTTPS = { allowHttp: false, allowIpLiterals: false };

/** The networks of chains: those the service knows, those of organizations, and which of them clients are told. */
@Module({
  imports: [TypeOrmModule.forFeature([CustomNetworkRow]), OrganizationsModule, EnvironmentsModule],
  controllers: [CustomNetworksController, NetworksController],
  providers: [
    CustomNetworksRepository,
    CustomNetworksService,
    OrganizationNetworks,
    ClientNetworks,
    NetworkUrls,
    RpcNetworks,
    RpcTransport,
    { provide: ChainReader, useClass: RpcChainReader },
    {
      provide: EgressPolicy,
      inject: [Config],
      useFactory: ({ egressAllow }: Config) => new EgressPolicy(egressAllow, PUBLIC_HTTPS),
    },
  ],
  exports: [ChainReader, RpcNetworks],
})
export class NetworksModule {}
