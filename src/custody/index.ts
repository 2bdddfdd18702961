export { CustodianRegistry } from './custodian-registry.js';
export {
  CUSTODY_VERSIONS,
  type AccountPlace,
  type Capabilities,
  type Capability,
  type CreatesKeys,
  type Custodian,
  type CustodyVersion,
  type DerivesAccounts,
  type EmbeddedAccount,
  type ExportsKeys,
  type HeldAccount,
  type HeldKeys,
  type ImportsKeys,
  type KeyOwner,
  type PreparedKeys,
  type ResharesKeys,
  type SignsRequests,
} from './custodian.js';
export { noCompatibleWalletService, notSupportedByCustodian } from './custody.errors.js';
export { CustodyModule } from './custody.module.js';
export { EMBEDDED_CHAINS, type EmbeddedChain } from './embedded-chain.js';
export { KeyRotation, type RotationOptions, type RotationProgress } from './key-rotation.js';
export type { Signed, SigningKind, SigningRequest, TypedData } from './signing/signing-request.js';
