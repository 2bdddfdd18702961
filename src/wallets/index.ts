export { EmbeddedWalletsService, type PreparedUser } from './console/embedded-wallets.service.js';
export { OpenRoomResponseWithServerKeygenIds } from './exports/wallet-export.dto.js';
export { wholeKeyMail } from './notices/key-mails.js';
export { KeyNotices } from './notices/key-notices.js';
export { ThresholdWallets } from './making/threshold-wallets.js';
export { WAAS_CHAINS, WaasWallet } from './record/wallet-detail.dto.js';
export { WALLET_CREATED, WALLET_DELETED, WALLET_LINKED } from './record/wallet.events.js';
export { WalletsModule } from './wallets.module.js';
