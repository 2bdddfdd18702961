export { joinShares, openBackup, sealBackup, WrongLock, type BackupLock } from './backup.js';
export { httpBackups, recoverShares, type BackedUpShares, type Backups, type StoredBackup } from './backups.js';
export { KeyGeneration, type ShareSet } from './key-generation.js';
export { MismatchedMessage, payloadOf, type Signable } from './payload.js';
export { httpRooms, openedRooms, type RoomMessage, type Rooms } from './rooms.js';
export { httpSignatures, SharedKey, type OpenSignature, type SignatureRequest } from './shared-key.js';
export { ServiceError, type Deployment } from './service.js';
export { signingShares, verifyOutcome } from './signing.js';
export { OtherGeneration, Resharing } from './resharing.js';
export { createWallet, renewShares, signInRoom, type OpenedRoom } from './ceremonies.js';
export { lockAgain, unlockOnce } from './second-lock.js';
export { fetchDealtShares, httpWalletSecrets, type WalletSecret, type WalletSecrets } from './wallet-secrets.js';
export {
  createSplitWallet,
  joinExported,
  signSplit,
  SplitGeneration,
  type OpenedSplit,
  type SplitSigned,
} from './split/split-wallet.js';
export { joinKey, splitKey, type SplitShare } from './split/split-key.js';
