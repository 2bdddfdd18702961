export { MultichainAccountBalanceResponse, MultichainAccountBalancesRequest } from './balances/balance.dto.js';
export { BalancesService } from './balances/balances.service.js';
export { CHAIN_NAME, CHAINS, type Chain } from './catalogue/chains.js';
export { CATALOGUE } from './catalogue/chain-catalogue.js';
export { ENS_REGISTRY } from './catalogue/evm-networks.js';
export type { CatalogueNetwork } from './catalogue/catalogue-network.js';
export { chainOfName, clientChainName } from './catalogue/client-chain-name.js';
export { CUSTOM_NETWORK_CREATED, CUSTOM_NETWORK_DELETED, CUSTOM_NETWORK_UPDATED } from './custom-network.events.js';
export { NetworksModule } from './networks.module.js';
export {
  ChainReader,
  type EvmRead,
  type NetworkRef,
  type Reading,
  type TokenHolding,
  type SolanaMint,
  type ReadOptions,
} from './rpc/chain-reader.js';
export { CallRevertedError, ChainUnreadableError, type UnreadableReason } from './rpc/chain-unreadable.error.js';
export { vendorEndpoints, type VendorEndpoint } from './sources/vendor-endpoints.js';
export { VendorClient, type VendorQuestion } from './sources/vendor-client.js';
export { VendorUnavailableError } from './sources/vendor-unavailable.error.js';
export { asApiError } from './chain-faults.js';
export { askNode } from './rpc/json-rpc.js';
export { NeutralChainReader } from './rpc/neutral-chain-reader.js';
export { RpcNetworks, type RpcNetwork } from './rpc/rpc-networks.js';
