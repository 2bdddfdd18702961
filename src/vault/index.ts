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
export { generateMasterKey, parseKeyRing } from './key-ring-text.js';
export { KeyVault, type NewDataKey, type WrappedKey } from './key-vault.js';
export { LocalKeyRing } from './local-key-ring.js';
export { openKeyVault } from './open-key-vault.js';
export type { PreparedSeal } from './prepared-seal.js';
export type { SealContext } from './seal-context.js';
export { SealedRecords, SealedRecordsRegistry } from './sealed-records.js';
export { SealedTable } from './sealed-table.js';
export { SIGNER_CALLS, type SignerCalls } from './signer-calls.js';
export { SecretBytes } from './secret-bytes.js';
export {
  KeyRingError,
  KeyVaultUnavailableError,
  SealedBlobError,
  SecretWipedError,
  translateVaultError,
  UnopenedRowsError,
  type SealedBlobRefusal,
} from './vault.errors.js';
export { VaultModule } from './vault.module.js';
