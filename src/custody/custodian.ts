import type { Transaction } from '../database/index.js';
import type { EmbeddedChain } from './embedded-chain.js';
import type { AccountPlace, EmbeddedAccount, HeldAccount, HeldKeys, KeyOwner } from './held-account.js';
import type { HpkeMessage, Recipient } from '../vault/index.js';
import type { Dealing, DealtKey, KeyReceiver, OfferedKey } from './signer/wallet-signer.js';
import type { Signed, SigningRequest } from './signing/signing-request.js';

/** Who holds the keys, by wallet version. `external` is whatever custodian the operator supplies. */
export const CUSTODY_VERSIONS = ['V1', 'V2', 'V3', 'external'] as const;

export type CustodyVersion = (typeof CUSTODY_VERSIONS)[number];

/**
 * Keys with their first accounts, prepared before any transaction begins. Ids, addresses and public keys are readable;
 * secrets are not.
 */
export interface PreparedKeys {
  readonly keysId: string;
  /** Whether the keys are new to the user; false if the user already has them. */
  readonly isNew: boolean;
  /** The first account on each requested chain. */
  readonly accounts: readonly EmbeddedAccount[];
  /**
   * Makes them the user's keys, in one statement and with no other work.
   *
   * @returns false if the user has other keys by now: discard these and prepare again
   */
  store(tx: Transaction): Promise<boolean>;
  /** Zeroes what this holds, sealed or not. */
  discard(): void;
}

export interface CreatesKeys {
  /** The user's keys, created only if there are none. Slow: never call inside a transaction. */
  prepare(owner: KeyOwner, chains: readonly EmbeddedChain[]): Promise<PreparedKeys>;
}

/** Required of a custodian that makes keys or takes them over: its keys end with their wallets and users. */
export interface RetiresKeys {
  /**
   * Retires the user's keys, or only `keysId`; they are destroyed after `graceDays`. Never a network call.
   *
   * @returns the ids of the keys that this call retired
   */
  retire(keys: KeyOwner & { readonly keysId?: string }, graceDays: number, tx: Transaction): Promise<readonly string[]>;
}

export interface DerivesAccounts {
  /** Accounts of existing keys, the same on every call. Slow: never call inside a transaction. */
  derive(keys: HeldKeys, places: readonly AccountPlace[]): Promise<EmbeddedAccount[]>;
}

export interface SignsRequests {
  /** Signs only what the request declares itself to be. Slow: never call inside a transaction. */
  sign(account: HeldAccount, request: SigningRequest): Promise<Signed>;
}

/** A private key on its way out, sealed to its recipient. */
export interface SealedKey extends HpkeMessage {
  /**
   * For keys that can be reshared: whether the sealed key is still current. Holds it so until the transaction ends. The
   * caller must have locked the wallet first.
   */
  isCurrent?(tx: Transaction): Promise<boolean>;
}

export interface ExportsKeys {
  /**
   * The 32-byte private key, sealed to the recipient's public key: HPKE (RFC 9180), base mode, with the address as
   * additional data. Slow: never call inside a transaction.
   */
  export(account: HeldAccount, recipient: Recipient): Promise<SealedKey>;
}

/** An imported private key that has proved its address, prepared before any transaction begins. */
export interface ImportedKeys {
  readonly keysId: string;
  readonly account: { readonly chain: EmbeddedChain; readonly address: string; readonly publicKey: string };
  /** Stores it, in one statement and with no other work. */
  store(tx: Transaction): Promise<void>;
  /** Zeroes the secrets held here. */
  discard(): void;
}

export interface ImportsKeys {
  /** Public keys for one import. The private half is sealed under `importId`. Never call inside a transaction. */
  createReceiver(owner: KeyOwner, importId: string): Promise<KeyReceiver>;
  /**
   * Imports a private key that was sealed to a receiver. Never call inside a transaction.
   *
   * @throws KeyRefused if it is not the key it claims to be
   */
  import(
    owner: KeyOwner,
    receiver: { importId: string; sessionId: string; sealed: Buffer },
    offer: OfferedKey,
  ): Promise<ImportedKeys>;
}

export interface DealsKeys {
  /** Deals shares of an account's Ed25519 key. Slow: never call inside a transaction. */
  deal(account: HeldAccount, dealing: Dealing): Promise<DealtKey>;
}

export interface ResharesKeys {
  /** Deals new shares: the old ones become void, the addresses stay. */
  reshare(keys: HeldKeys, scheme: { readonly threshold: number; readonly shares: number }): Promise<void>;
}

/** What a custodian may offer. Each capability is optional. */
export interface Capabilities {
  readonly create: CreatesKeys;
  readonly retire: RetiresKeys;
  readonly derive: DerivesAccounts;
  readonly sign: SignsRequests;
  readonly export: ExportsKeys;
  readonly import: ImportsKeys;
  readonly deal: DealsKeys;
  readonly reshare: ResharesKeys;
}

export type Capability = keyof Capabilities;

/** Holds the keys of embedded wallets. Addresses, public keys and signatures cross this port; secrets never do. */
export interface Custodian {
  readonly version: CustodyVersion;
  /** What it can do. Anything else is refused before any work starts. */
  readonly can: Partial<Capabilities>;
}
