import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EgressPolicy } from '../outbound/index.js';
import { Config } from '../config/index.js';
import { EnvironmentsModule } from '../environments/index.js';
import { ObservabilityModule } from '../observability/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { AccountNetworks } from './account-networks.js';
import { BalancesController } from './balances/balances.controller.js';
import { BalancesService } from './balances/balances.service.js';
import { BitcoinHoldings } from './balances/bitcoin-holdings.js';
import { EvmHoldings } from './balances/evm-holdings.js';
import { HoldingsReaders } from './balances/holdings-readers.js';
import { IndexedHoldings } from './balances/indexed-holdings.js';
import { SolanaHoldings } from './balances/solana-holdings.js';
import { SuiHoldings } from './balances/sui-holdings.js';
import { ClientNetworks } from './configuration/client-networks.js';
import { EnabledNetworksCheck } from './configuration/enabled-networks.check.js';
import { NetworkAddressesCheck } from './configuration/network-addresses.check.js';
import { NetworksController } from './configuration/networks.controller.js';
import { CustomNetworkRow } from './custom-network.entity.js';
import { CustomNetworksController } from './custom-networks.controller.js';
import { CustomNetworksRepository } from './custom-networks.repository.js';
import { CustomNetworksService } from './custom-networks.service.js';
import { NetworkUrls } from './network-urls.js';
import { OrganizationNetworks } from './organization-networks.js';
import { CurrencyList } from './rates/currency-list.service.js';
import { ClientRatesController, RatesController } from './rates/rates.controller.js';
import { PublishedRates } from './rates/published-rates.js';
import { Rates } from './rates/rates.js';
import { ChainReader } from './rpc/chain-reader.js';
import { DeploymentNetworks } from './rpc/deployment-networks.js';
import { NeutralChainReader } from './rpc/neutral-chain-reader.js';
import { RpcChainReader } from './rpc/rpc-chain-reader.js';
import { RpcNetworks } from './rpc/rpc-networks.js';
import { RpcTransport } from './rpc/rpc-transport.js';
import { BitcoinHistory } from './history/bitcoin-history.js';
import { EvmHistory } from './history/evm-history.js';
import { HistoryController } from './history/history.controller.js';
import { HistoryService } from './history/history.service.js';
import { SolanaHistory } from './history/solana-history.js';
import { ScanController } from './scan/scan.controller.js';
import { ScanService } from './scan/scan.service.js';
import { SiteLists } from './scan/site-lists.js';
import { BlockaidScanner, SiteScanner } from './scan/site-scanner.js';
import { AssetNames } from './simulation/asset-names.js';
import { EvmSimulator } from './simulation/evm-simulator.js';
import { SimulationController } from './simulation/simulation.controller.js';
import { SimulationService } from './simulation/simulation.service.js';
import { BlockaidTransactions, TransactionScanner } from './simulation/transaction-scanner.js';
import { SolanaSimulator } from './simulation/solana-simulator.js';
import { FeesController } from './fees/fees.controller.js';
import { FeesService } from './fees/fees.service.js';
import { VendorClient } from './sources/vendor-client.js';
import { ChainTokensController } from './tokens/chain-tokens.controller.js';
import { ChainTokens } from './tokens/chain-tokens.service.js';
import { TokenFactsReader } from './tokens/token-facts.js';
import { TokenLists } from './tokens/token-lists.js';
import { MovingModule } from '../moving/index.js';
import { NetworksMoving } from './networks.moving.js';

/** Browsers use these URLs too, so plain http is never allowed; operators allow hosts with `EGRESS_ALLOW`. */
const PUBLIC_HTTPS = { allowHttp: false, allowIpLiterals: false };

/** Chain networks: those the service knows, those of organizations, and data read from the chains. */
@Module({
  imports: [
    MovingModule,
    TypeOrmModule.forFeature([CustomNetworkRow]),
    OrganizationsModule,
    EnvironmentsModule,
    ObservabilityModule,
  ],
  controllers: [
    CustomNetworksController,
    NetworksController,
    RatesController,
    ClientRatesController,
    ChainTokensController,
    BalancesController,
    SimulationController,
    FeesController,
    ScanController,
    HistoryController,
  ],
  providers: [
    NetworksMoving,
    CustomNetworksRepository,
    CustomNetworksService,
    OrganizationNetworks,
    ClientNetworks,
    EnabledNetworksCheck,
    NetworkAddressesCheck,
    NetworkUrls,
    RpcNetworks,
    RpcTransport,
    AccountNetworks,
    VendorClient,
    CurrencyList,
    { provide: Rates, useClass: PublishedRates },
    TokenLists,
    TokenFactsReader,
    ChainTokens,
    EvmHoldings,
    IndexedHoldings,
    SolanaHoldings,
    SuiHoldings,
    BitcoinHoldings,
    HoldingsReaders,
    BalancesService,
    AssetNames,
    EvmSimulator,
    SolanaSimulator,
    { provide: TransactionScanner, useClass: BlockaidTransactions },
    SimulationService,
    FeesService,
    SiteLists,
    { provide: SiteScanner, useClass: BlockaidScanner },
    ScanService,
    EvmHistory,
    SolanaHistory,
    BitcoinHistory,
    HistoryService,
    { provide: ChainReader, useClass: RpcChainReader },
    DeploymentNetworks,
    NeutralChainReader,
    {
      provide: EgressPolicy,
      inject: [Config],
      useFactory: ({ egressAllow }: Config) => new EgressPolicy(egressAllow, PUBLIC_HTTPS),
    },
  ],
  exports: [ChainReader, NeutralChainReader, RpcNetworks, BalancesService, VendorClient],
})
export class NetworksModule {}
