export type { SealContext } from './seal-context.js';
export { Envelope } from './envelope.js';
export {
  HPKE_KEMS,
  kemOf,
  openOffer,
  receiverKeys,
  sealTo,
  type HpkeKem,
  type HpkeMessage,
  type Recipient,
} from './hpke.js';
export { KeyRingError, SealedBlobError, SecretWipedError, type SealedBlobRefusal } from './vault.errors.js';
export { KeyVault, type WrappedKey } from './key-vault.js';
export { LocalKeyRing } from './local-key-ring.js';
export { SealedRecords, SealedRecordsRegistry } from './sealed-records.js';
export { SealedTable } from './sealed-table.js';
export { SecretBytes } from './secret-bytes.js';
export { VaultModule } from './vault.module.js';
export { generateMasterKey, parseKeyRing } from './key-ring-text.js';
