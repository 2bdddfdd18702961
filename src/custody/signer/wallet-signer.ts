import type { AccountPlace, EmbeddedAccount, KeyOwner } from '../held-account.js';
import type { Signed, SigningRequest } from '../signing/signing-request.js';
import type { EmbeddedChain } from '../embedded-chain.js';
import type { HpkeKem, HpkeMessage, Recipient } from '../../vault/index.js';
import type { PublicShares } from '../threshold/frost.js';
import type { ShareScheme } from '../threshold/schemes.js';
import type { SecretKind } from './seed-vault.js';

/** Keys by their storage id. */
export interface NamedKeys extends KeyOwner {
  readonly keysId: string;
}

/** A secret at rest, with everything its seal is bound to. */
export interface SealedKeys extends NamedKeys {
  readonly kind: SecretKind;
  /** Empty if the signer reads it itself, by the ids. */
  readonly sealed: Buffer;
}

/** The keys of a receiver, and the only session that may use them, once. */
export interface SealedReceiver extends SealedKeys {
  readonly sessionId?: string;
}

/** A secret in its stored form, and the master key that wraps its data key. */
export interface NewlySealed {
  readonly sealed: Buffer;
  readonly masterKeyId: string;
}

/** The requested account. Its address is compared with the one the keys yield before they are used. */
export interface KeyedAccount extends AccountPlace {
  readonly address: string;
}

/** Single-use public keys that a private key can be sealed to. */
export interface KeyReceiver extends NewlySealed {
  readonly publicKeys: Record<HpkeKem, Buffer>;
}

/** A private key that its user submits, sealed to one of a receiver's keys. */
export interface OfferedKey extends HpkeMessage {
  readonly chain: EmbeddedChain;
  /** The address the user claims: the additional data of the message. */
  readonly address: string;
  /** What the message is bound to. The key signs it, which proves that the key controls the address. */
  readonly info: Buffer;
}

/** A secret released by another installation, and the operator's key that opens it. */
export interface ArrivedSecret extends HpkeMessage {
  readonly secret: Uint8Array;
  readonly info: Uint8Array;
  readonly aad: Uint8Array;
}

/** A private key in its stored form, and the proof that it belongs to an address. */
export interface ReceivedKey extends NewlySealed {
  /** Hexadecimal, as accounts have it. */
  readonly publicKey: string;
  /** Signature over `info` by the key: see `key-proof.ts`. */
  readonly proof: Buffer;
}

/** How to deal the shares of a key. */
export interface Dealing {
  /** The id that the service's shares are stored under. */
  readonly keysId: string;
  readonly walletId: string;
  readonly scheme: ShareScheme;
  /** The 32-byte secret that opens the copy. */
  readonly lock: Uint8Array;
}

/** A key whose shares were dealt by the service. */
export interface DealtKey {
  readonly kept: NewlySealed;
  readonly public: PublicShares;
  /** The user's shares, encrypted under the lock. */
  readonly copy: string;
}

/** A submitted key was rejected. The message says why, and nothing about the key. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

/**
 * Where keys are opened: data keys, seeds and private keys exist behind this port and nowhere else. Everything that
 * crosses it is serialisable, so that the other side may be another process. Slow: never call inside a transaction.
 *
 * `SealedBlobError` whenever a secret was not sealed for exactly these ids.
 */
export abstract class WalletSigner {
  /** A new sealed seed with its first accounts. */
  abstract createSeed(
    keys: NamedKeys,
    places: readonly AccountPlace[],
  ): Promise<NewlySealed & { readonly accounts: EmbeddedAccount[] }>;

  abstract derive(keys: SealedKeys, places: readonly AccountPlace[]): Promise<EmbeddedAccount[]>;

  /** @throws UnreadableRequest if the request is not what it declares itself to be, or not for this account to sign */
  abstract sign(keys: SealedKeys, account: KeyedAccount, request: SigningRequest): Promise<Signed>;

  /** The private key of an account, sealed to its recipient. */
  abstract export(keys: SealedKeys, account: KeyedAccount, recipient: Recipient): Promise<HpkeMessage>;

  /** Deals shares of an account's Ed25519 key. The user's shares are locked at once. */
  abstract deal(keys: SealedKeys, account: KeyedAccount, dealing: Dealing): Promise<DealtKey>;

  /** A sealed key pair for each mechanism, valid for one import. */
  abstract createReceiver(keys: NamedKeys): Promise<KeyReceiver>;

  /**
   * Imports a key that was sealed to a receiver.
   *
   * @param as the owner and id to store the key under
   * @throws KeyRefused if it does not open, is not a private key of the chain, or has another address
   */
  abstract receive(receiver: SealedReceiver, as: NamedKeys, offer: OfferedKey): Promise<ReceivedKey>;

  /** The secret as is, sealed to an operator who takes it to another installation. */
  abstract release(keys: SealedKeys, operator: Recipient, aad: Uint8Array): Promise<HpkeMessage>;

  /** A secret from another installation, under this one's master key; null if it does not open. */
  abstract admit(as: NamedKeys & { readonly kind: SecretKind }, arrival: ArrivedSecret): Promise<NewlySealed | null>;

  /** The same secret under the current master key, or null if it already is. */
  abstract rewrap(keys: SealedKeys): Promise<NewlySealed | null>;
}
