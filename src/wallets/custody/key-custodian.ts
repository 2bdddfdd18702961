import type { EnvironmentId, Transaction } from '../../database/index.js';
import type { DerivedAccount } from './derive-account.js';
import type { EmbeddedChain } from './embedded-chain.js';

/** The public half of one account of a user's seed. */
export interface EmbeddedAccount extends DerivedAccount {
  readonly chain: EmbeddedChain;
  /** Counts the accounts of a seed on one chain, from 0. */
  readonly index: number;
}

/** A user's seed as others carry it: its records, and bytes that only the custodian can read. */
export interface HeldSeed {
  readonly id: string;
  readonly userId: string;
  readonly vaultOrganizationId: string;
  readonly vaultUserId: string;
  readonly sealedEntropy: Buffer;
}

/**
 * Who holds the keys of embedded wallets. Addresses and public keys cross this port, secrets never do.
 * The one adapter holds every seed itself, sealed at rest (wallets of version V1): custodial, and able to sign alone.
 */
export abstract class KeyCustodian {
  /** Version of the wallets it makes. */
  abstract readonly version: 'V1' | 'V2' | 'V3';

  /**
   * The seed of a user, made if the user has none. Of requests that race for one user, one makes it; the others wait
   * for that one and get the same.
   *
   * @throws ApiError conflict if the user is deleted at this moment
   */
  abstract ensureSeed(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<HeldSeed>;

  /**
   * The first account of a seed on each chain, the same at every call.
   *
   * @throws SealedBlobError if the seed is not that of this user and environment
   */
  abstract deriveAccounts(
    environmentId: EnvironmentId,
    seed: HeldSeed,
    chains: readonly EmbeddedChain[],
  ): Promise<EmbeddedAccount[]>;
}
