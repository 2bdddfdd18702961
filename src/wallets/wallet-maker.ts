import { Injectable } from '@nestjs/common';
import { conflict } from '../common/errors/index.js';
import { newId } from '../common/ids.js';
import { Outbox, type EnvironmentId, type Transaction } from '../database/index.js';
import { CredentialWriter } from '../identity/index.js';
import type { EmbeddedChain } from './custody/embedded-chain.js';
import { KeyCustodian } from './custody/key-custodian.js';
import { missingChains } from './wallet-chains.js';
import { embeddedCredential } from './wallet-credential.js';
import { WALLET_CREATED, walletEvent } from './wallet.events.js';
import { WalletsRepository } from './wallets.repository.js';

const EMBEDDED_WALLET_NAME = 'Embedded wallet';

/** Whose wallets to make. */
export interface WalletOwner {
  readonly userId: string;
  /** Made in the same transaction: nobody else knows the user yet. */
  readonly created: boolean;
}

/** Writes embedded wallets with everything that belongs to them: seed, credential and event. */
@Injectable()
export class WalletMaker {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly custodian: KeyCustodian,
    private readonly credentials: CredentialWriter,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Gives a user the wallets of these chains that the user does not have. Requests that race for one user meet at the
   * unique constraints, always in the same order: the seed of the user, then the accounts by chain. Each wallet is made,
   * and told, by one of them.
   *
   * @returns the number of wallets that this call made
   * @throws ApiError conflict if the user is deleted at this moment
   */
  async make(
    environmentId: EnvironmentId,
    { userId, created }: WalletOwner,
    chains: readonly EmbeddedChain[],
    tx: Transaction,
  ): Promise<number> {
    // A seed without its user would never be destroyed.
    const present = created ? [] : await this.wallets.holdUser(environmentId, userId, tx);
    if (!present) throw conflict();
    const missing = missingChains(chains, present);
    if (missing.length === 0) return 0;
    const made = await this.insert(environmentId, userId, missing, tx);
    if (made.length === 0) return 0;
    const events = made.map((wallet) => walletEvent(WALLET_CREATED, userId, wallet));
    this.credentials.add(environmentId, userId, made.map(embeddedCredential), tx);
    await this.outbox.append(environmentId, events, tx);
    return made.length;
  }

  private async insert(
    environmentId: EnvironmentId,
    userId: string,
    chains: readonly EmbeddedChain[],
    tx: Transaction,
  ) {
    const seed = await this.custodian.ensureSeed(environmentId, userId, tx);
    const accounts = await this.custodian.deriveAccounts(environmentId, seed, chains);
    return this.wallets.insertEmbedded(
      environmentId,
      {
        userId,
        name: EMBEDDED_WALLET_NAME,
        seedId: seed.id,
        version: this.custodian.version,
        accounts: accounts.map((account) => ({ ...account, id: newId() })),
      },
      tx,
    );
  }
}
