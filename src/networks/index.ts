export { CATALOGUE, type CatalogueNetwork } from './catalogue/chain-catalogue.js';
export { CUSTOM_NETWORK_CREATED, CUSTOM_NETWORK_DELETED, CUSTOM_NETWORK_UPDATED } from './custom-network.events.js';
export { NetworksModule } from './networks.module.js';
