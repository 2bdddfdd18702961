export { Envelope } from './envelope.js';
export { generateMasterKey, parseKeyRing } from './key-ring-text.js';
export { KeyVault, type WrappedKey } from './key-vault.js';
export { LocalKeyRing } from './local-key-ring.js';
export type { SealContext } from './seal-context.js';
export { SealedRecords, SealedRecordsRegistry } from './sealed-records.js';
export { SecretBytes } from './secret-bytes.js';
export { KeyRingError, SealedBlobError, SecretWipedError, type SealedBlobRefusal } from './vault.errors.js';
export { VaultModule } from './vault.module.js';
