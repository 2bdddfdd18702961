import type { EnvironmentId } from '../database/index.js';
import type { DerivedAccount } from './derivation/derive-account.js';
import type { EmbeddedChain } from './embedded-chain.js';

/** The user whose keys they are. */
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

/** The keys of one user, by the id their custodian knows them under. */
export interface HeldKeys extends KeyOwner {
  readonly keysId: string;
}

/** An account in use. The key holder compares the address before using the keys. */
export interface HeldAccount extends HeldKeys, AccountPlace {
  readonly address: string;
}
