export { joinShares, openBackup, sealBackup, WrongLock, type BackupLock } from './backup.js';
export { httpBackups, recoverShares, type BackedUpShares, type Backups, type StoredBackup } from './backups.js';
export { KeyGeneration, type ShareSet } from './key-generation.js';
export { MismatchedMessage, payloadOf, type Signable } from './payload.js';
export { httpRooms, type RoomMessage, type Rooms } from './rooms.js';
export { signingShares, verifyOutcome } from './signing.js';
export { OtherGeneration, Resharing } from './resharing.js';
export { createWallet, renewShares, signInRoom, type OpenedRoom } from './ceremonies.js';
