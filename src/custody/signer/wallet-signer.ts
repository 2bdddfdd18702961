import type { AccountPlace, EmbeddedAccount, KeyOwner } from '../custodian.js';
import type { Signed, SigningRequest } from '../signing/signing-request.js';
import type { EmbeddedChain } from '../embedded-chain.js';
import type { HpkeKem, HpkeMessage, Recipient } from '../../vault/index.js';
import type { PublicShares } from '../threshold/frost.js';
import type { ShareScheme } from '../threshold/schemes.js';
import type { SecretKind } from './seed-vault.js';

/** Keys by the id that they are stored under. */
export interface NamedKeys extends KeyOwner {
  readonly keysId: string;
}

/** A secret at rest, with everything that it was sealed for. */
export interface SealedKeys extends NamedKeys {
  readonly kind: SecretKind;
  /** Empty where the signer reads it itself, by the ids. */
  readonly sealed: Buffer;
}

/** The keys of a receiver, and the session that may use them, once. */
export interface SealedReceiver extends SealedKeys {
  readonly sessionId?: string;
}

/** A secret as it is stored, and the master key that its data key is under. */
export interface NewlySealed {
  readonly sealed: Buffer;
  readonly masterKeyId: string;
}

/** The account that is asked for. Its address is compared with what the keys give before they are used. */
export interface KeyedAccount extends AccountPlace {
  readonly address: string;
}

/** Where a private key can be sealed to, once. */
export interface KeyReceiver extends NewlySealed {
  readonly publicKeys: Record<HpkeKem, Buffer>;
}

/** A private key that its user hands over, sealed to one of the keys of a receiver. */
export interface OfferedKey extends HpkeMessage {
  readonly chain: EmbeddedChain;
  /** What the user says the address is: the additional data of the message. */
  readonly address: string;
  /** What the message is bound to. The key signs it, which shows that the address is one that it can be used for. */
  readonly info: Buffer;
}

/** A secret that was released elsewhere, and the operator's key that opens it. */
export interface ArrivedSecret extends HpkeMessage {
  readonly secret: Uint8Array;
  readonly info: Uint8Array;
  readonly aad: Uint8Array;
}

/** A private key as it is stored, and what shows that it is the one of an address. */
export interface ReceivedKey extends NewlySealed {
  /** Hexadecimal, as accounts have it. */
  readonly publicKey: string;
  /** Of `info`, by the key: see `key-proof.ts`. */
  readonly proof: Buffer;
}

/** How shares of a key are dealt. */
export interface Dealing {
  /** What the service's shares are stored under. */
  readonly keysId: string;
  readonly walletId: string;
  readonly scheme: ShareScheme;
  /** 32 bytes, which whoever has opens the copy with. */
  readonly lock: Uint8Array;
}

/** A key whose shares the service has dealt. */
export interface DealtKey {
  readonly kept: NewlySealed;
  readonly public: PublicShares;
  /** The user's shares, under the lock. */
  readonly copy: string;
}

/** A key that was offered is not taken over. The message says why, and nothing of the key. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

/**
 * Where keys are open: data keys, seeds and private keys exist behind this port and nowhere else. Whatever crosses it can
 * be written down as bytes, so that the other side may be another process. Slow: never called inside a transaction.
 *
 * `SealedBlobError` wherever a secret was not sealed for exactly these ids.
 */
export abstract class WalletSigner {
  /** A new seed, sealed, with its first accounts. */
  abstract createSeed(
    keys: NamedKeys,
    places: readonly AccountPlace[],
  ): Promise<NewlySealed & { readonly accounts: EmbeddedAccount[] }>;

  abstract derive(keys: SealedKeys, places: readonly AccountPlace[]): Promise<EmbeddedAccount[]>;

  /** @throws UnreadableRequest when the request is not what it says it is, or not for this account to sign */
  abstract sign(keys: SealedKeys, account: KeyedAccount, request: SigningRequest): Promise<Signed>;

  /** The private key of an account, sealed to its recipient. */
  abstract export(keys: SealedKeys, account: KeyedAccount, recipient: Recipient): Promise<HpkeMessage>;

  /** Shares of the key of an account, which signs by Ed25519. The user's are locked at once. */
  abstract deal(keys: SealedKeys, account: KeyedAccount, dealing: Dealing): Promise<DealtKey>;

  /** A key pair of each mechanism, good for one import, sealed. */
  abstract createReceiver(keys: NamedKeys): Promise<KeyReceiver>;

  /**
   * Takes over what was sealed to a receiver.
   *
   * @param as what the key is to be stored under
   * @throws KeyRefused when it does not open, is no private key of the chain, or has another address
   */
  abstract receive(receiver: SealedReceiver, as: NamedKeys, offer: OfferedKey): Promise<ReceivedKey>;

  /** The secret as it is, sealed to an operator who takes it to another installation. */
  abstract release(keys: SealedKeys, operator: Recipient, aad: Uint8Array): Promise<HpkeMessage>;

  /** A secret from another installation, under the master key of this one; null when it does not open. */
  abstract admit(as: NamedKeys & { readonly kind: SecretKind }, arrival: ArrivedSecret): Promise<NewlySealed | null>;

  /** The same secret under the current master key, or null if it is there already. */
  abstract rewrap(keys: SealedKeys): Promise<NewlySealed | null>;
}
