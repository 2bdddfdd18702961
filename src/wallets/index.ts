export { EmbeddedWalletsService, type PreparedUser } from './console/embedded-wallets.service.js';
export { WALLET_CREATED, WALLET_DELETED, WALLET_LINKED } from './record/wallet.events.js';
export { WalletsModule } from './wallets.module.js';
