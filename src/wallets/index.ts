export { EmbeddedWalletsService, type PreparedUser } from './embedded-wallets.service.js';
export { WALLET_CREATED, WALLET_DELETED, WALLET_LINKED } from './wallet.events.js';
export { WalletsModule } from './wallets.module.js';
