import type { EnvironmentId, Transaction } from '../database/index.js';
import type { DerivedAccount } from './derivation/derive-account.js';
import type { EmbeddedChain } from './embedded-chain.js';
import type { HpkeMessage, Recipient } from '../vault/index.js';
import type { Dealing, DealtKey, KeyReceiver, OfferedKey } from './signer/wallet-signer.js';
import type { Signed, SigningRequest } from './signing/signing-request.js';

/** Who holds keys, by the version of the wallets made from them. `external` is whatever an operator brings along. */
export const CUSTODY_VERSIONS = ['V1', 'V2', 'V3', 'external'] as const;

export type CustodyVersion = (typeof CUSTODY_VERSIONS)[number];

/** Whose keys. */
export interface KeyOwner {
  readonly environmentId: EnvironmentId;
  readonly userId: string;
}

/** One account of a user's keys on one chain, counted from 0. */
export interface AccountPlace {
  readonly chain: EmbeddedChain;
  readonly index: number;
}

/** The public half of an account. */
export interface EmbeddedAccount extends DerivedAccount, AccountPlace {}

/** The keys of one user, by the id under which their custodian knows them. */
export interface HeldKeys extends KeyOwner {
  readonly keysId: string;
}

/** An account in use. Whoever holds its keys compares the address before using them. */
export interface HeldAccount extends HeldKeys, AccountPlace {
  readonly address: string;
}

/**
 * Keys with their first accounts, ready before any transaction begins. Ids, addresses and public keys can be read;
 * secrets cannot.
 */
export interface PreparedKeys {
  readonly keysId: string;
  /** Whether the user gets keys by it; false for keys that the user has. */
  readonly isNew: boolean;
  /** The first account on each chain that was asked for. */
  readonly accounts: readonly EmbeddedAccount[];
  /**
   * Makes them the keys of the user, by one statement and without any other work.
   *
   * @returns false when other keys are the user's by now: these are to be discarded and others prepared
   */
  store(tx: Transaction): Promise<boolean>;
  /** Zeroes what this holds, sealed or not. */
  discard(): void;
}

export interface CreatesKeys {
  /** The keys of the user, made only if there are none. Slow: never called inside a transaction. */
  prepare(owner: KeyOwner, chains: readonly EmbeddedChain[]): Promise<PreparedKeys>;
  /**
   * Takes the user's keys out of use, or those of one id; they are destroyed after `graceDays`. Never a network call.
   *
   * @returns the ids of the keys that this call took out of use
   */
  retire(keys: KeyOwner & { readonly keysId?: string }, graceDays: number, tx: Transaction): Promise<readonly string[]>;
}

export interface DerivesAccounts {
  /** Accounts of keys that exist, the same at every call. Slow: never called inside a transaction. */
  derive(keys: HeldKeys, places: readonly AccountPlace[]): Promise<EmbeddedAccount[]>;
}

export interface SignsRequests {
  /** Signs what the request says it is, and nothing else. Slow: never called inside a transaction. */
  sign(account: HeldAccount, request: SigningRequest): Promise<Signed>;
}

/** A key as it leaves. */
export interface SealedKey extends HpkeMessage {
  /**
   * Of keys that can be made anew: whether they still are what was sealed. Keeps them so until the end of the transaction.
   * Whoever asks has held the wallet before.
   */
  isCurrent?(tx: Transaction): Promise<boolean>;
}

export interface ExportsKeys {
  /**
   * The private key, 32 bytes, sealed to a public key of the recipient: HPKE (RFC 9180), base mode, with the address as
   * additional data. Slow: never called inside a transaction.
   */
  export(account: HeldAccount, recipient: Recipient): Promise<SealedKey>;
}

/** A private key that was taken over and proved its address, ready before any transaction begins. */
export interface ImportedKeys {
  readonly keysId: string;
  readonly account: { readonly chain: EmbeddedChain; readonly address: string; readonly publicKey: string };
  /** Stores it, by one statement and without any other work. */
  store(tx: Transaction): Promise<void>;
  /** Zeroes what this holds. */
  discard(): void;
}

export interface ImportsKeys {
  /** Public keys for one import. The private half is sealed, under `importId`. Never called inside a transaction. */
  createReceiver(owner: KeyOwner, importId: string): Promise<KeyReceiver>;
  /**
   * Takes over a private key that was sealed to a receiver. Never called inside a transaction.
   *
   * @throws KeyRefused when it is not the key that it is said to be
   */
  import(
    owner: KeyOwner,
    receiver: { importId: string; sessionId: string; sealed: Buffer },
    offer: OfferedKey,
  ): Promise<ImportedKeys>;
}

export interface DealsKeys {
  /** Shares of the key of an account, which signs by Ed25519. Slow: never called inside a transaction. */
  deal(account: HeldAccount, dealing: Dealing): Promise<DealtKey>;
}

export interface ResharesKeys {
  /** Deals the shares anew: the old ones are void, the addresses stay. */
  reshare(keys: HeldKeys, scheme: { readonly threshold: number; readonly shares: number }): Promise<void>;
}

/** What can be asked of a custodian, each by itself: none has to have them all. */
export interface Capabilities {
  readonly create: CreatesKeys;
  readonly derive: DerivesAccounts;
  readonly sign: SignsRequests;
  readonly export: ExportsKeys;
  readonly import: ImportsKeys;
  readonly deal: DealsKeys;
  readonly reshare: ResharesKeys;
}

export type Capability = keyof Capabilities;

/** Who holds the keys of embedded wallets. Addresses, public keys and signatures cross this port, secrets never do. */
export interface Custodian {
  readonly version: CustodyVersion;
  /** What it can do. Whatever is not here is refused before anything happens. */
  readonly can: Partial<Capabilities>;
}
