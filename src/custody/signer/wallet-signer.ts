import type { AccountPlace, EmbeddedAccount, KeyOwner } from '../custodian.js';
import type { Signed, SigningRequest } from '../signing/signing-request.js';
import type { HpkeMessage, Recipient } from './hpke.js';

/** Keys by the id that they are stored under. */
export interface NamedKeys extends KeyOwner {
  readonly keysId: string;
}

/** A seed at rest, with everything that it was sealed for. */
export interface SealedKeys extends NamedKeys {
  readonly sealed: Buffer;
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

  /** The same seed under the current master key, or null if it is there already. */
  abstract rewrap(keys: SealedKeys): Promise<NewlySealed | null>;
}
