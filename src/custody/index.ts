export { CustodianRegistry, type VersionedWallet } from './custodian-registry.js';
export {
  CUSTODY_VERSIONS,
  type Capabilities,
  type Capability,
  type CreatesKeys,
  type Custodian,
  type CustodyVersion,
  type DealsKeys,
  type DerivesAccounts,
  type ExportsKeys,
  type ImportedKeys,
  type ImportsKeys,
  type PreparedKeys,
  type ResharesKeys,
  type RetiresKeys,
  type SealedKey,
  type SignsRequests,
} from './custodian.js';
export type { AccountPlace, EmbeddedAccount, HeldAccount, HeldKeys, KeyOwner } from './held-account.js';
export { noCompatibleWalletService, notSupportedByCustodian, signerUnavailable } from './custody.errors.js';
export { keyActorOf, KeyLedger, SERVICE } from './ledger/key-ledger.js';
export { verdictOn, type KeyActor, type KeyUse } from './ledger/ledger-entry.js';
export { LedgerVerifier, type VerifiedLedger } from './ledger/ledger-verifier.js';
export { IMPORTS, importUse, KeyImport, type ImportedFor } from './imports/key-import.js';
export { EXPORTS, KeyExport, type ExportUse } from './signer/key-export.js';
export { HPKE_KEMS, kemOf, type HpkeKem, type HpkeMessage, type Recipient } from '../vault/index.js';
export { greetSigner, openSigner } from './signer/process/open-signer.js';
export type { AboutSigner } from './signer/process/serve-signer.js';
export {
  KeyRefused,
  type Dealing,
  type DealtKey,
  type KeyReceiver,
  type NewlySealed,
  type OfferedKey,
} from './signer/wallet-signer.js';
export { KeySigning, SIGNATURES, type SigningWallet } from './signing/key-signing.js';
export { isSignedOn } from './signing/read-signable.js';
export { SignaturesWritten, WalletHolder, type UsedWallet } from './signing/signatures-written.js';
export { isBitcoinReceiver } from './signing/effects/bitcoin-effects.js';
export { effectsOf, readable } from './signing/effects/examine.js';
export { networkFeeOf } from './signing/effects/network-fee.js';
export { UNKNOWN, type Argument, type Effect, type Unknown } from './signing/effects/effect.js';
export {
  SigningPolicies,
  SigningPolicy,
  type SigningCharge,
  type ExportQuestion,
  type SigningQuestion,
} from './signing/signing-policies.js';
export { SHOWN_SEEDS, SHOWN_SHARE_SETS } from './shown-keys.js';
export { CustodyModule } from './custody.module.js';
export { ThresholdEcdsa, type EcdsaSignature } from './external/threshold-ecdsa.js';
export { derivationPath } from './derivation/derivation-path.js';
export { EMBEDDED_CHAINS, type EmbeddedChain, type SigningChain } from './embedded-chain.js';
export { KeyRotation, type RotationOptions, type RotationProgress } from './key-rotation.js';
export type { Signed, SigningKind, SigningRequest, TypedData } from './signing/signing-request.js';
export { CeremonyFault } from './threshold/ceremony-fault.js';
export {
  clientParties,
  serverParties,
  userSignsAlone,
  type ShareProtocol,
  type ShareScheme,
} from './threshold/schemes.js';
export {
  THRESHOLD_CHAINS,
  thresholdAccount,
  thresholdCurve,
  type ThresholdChain,
} from './threshold/threshold-chains.js';
export { RESHARES, signingUse, ThresholdKeys, type DealtShares } from './threshold/threshold-keys.js';
export type { Ceremony } from './threshold/threshold-signer.js';
export { parseKeygenShares, parseReshareShares, parseSigningShares } from './threshold/wire.js';
export { protocolOf, type SharedWallet, type SplitWallet, type WalletOfShares } from './threshold/wallet-of-shares.js';
export { writeTonData } from './signing/ton-data.js';
export { isPrimaryType } from './signing/typed-data-form.js';
export { splitAccount, SplitKeys, splitUse } from './split/split-keys.js';
export { releaseDigest } from './split/split-signer.js';
export { parseSplitDeal, parseSplitKey, parseSplitSignature } from './split/split-wire.js';
