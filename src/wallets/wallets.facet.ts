import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SERVICE } from '../custody/index.js';
import type { EnvironmentId, EventDraft, Executor, SubjectRows, Transaction } from '../database/index.js';
import {
  UserFacets,
  type CredentialFollower,
  type HeldAddress,
  type NewUserAttachments,
  type ProvenIdentifier,
  type UserFacet,
} from '../identity/index.js';
import { KeyRetirement } from './making/key-retirement.js';
import { ProvenWalletsRepository } from './record/proven-wallets.repository.js';
import { WalletMoves } from './moves/wallet-moves.js';
import { WalletMovesRepository } from './moves/wallet-moves.repository.js';
import { tooManyWallets } from './record/wallet.errors.js';
import { ShownWallets } from './record/shown-wallets.js';
import { ownWalletEvent, WALLET_LINKED, walletEvent } from './record/wallet.events.js';
import { ExternalWalletsRepository } from './record/external-wallets.repository.js';
import { WalletsRepository } from './record/wallets.repository.js';

/** The field `wallets` of users, and the handling of wallets and keys when users are created or deleted. */
@Injectable()
export class WalletsFacet implements UserFacet, OnModuleInit {
  readonly name = 'wallets';
  readonly credentials: CredentialFollower;

  constructor(
    private readonly facets: UserFacets,
    private readonly wallets: WalletsRepository,
    private readonly external: ExternalWalletsRepository,
    private readonly signers: ProvenWalletsRepository,
    private readonly retirement: KeyRetirement,
    private readonly shown: ShownWallets,
    private readonly embedded: WalletMovesRepository,
    moves: WalletMoves,
  ) {
    this.credentials = moves;
  }

  get rows(): SubjectRows {
    return this.shown.ofUser;
  }

  onModuleInit(): void {
    this.facets.register(this);
  }

  /** External wallets as stated by an API call: several users may be assigned the same address. */
  async create(
    environmentId: EnvironmentId,
    userId: string,
    { wallets }: NewUserAttachments,
    tx: Transaction,
  ): Promise<EventDraft[]> {
    if (wallets.length === 0) return [];
    const linked = await this.external.insert(environmentId, userId, wallets, tx);
    return linked.map((wallet) => walletEvent(WALLET_LINKED, userId, wallet));
  }

  /**
   * A wallet used to sign in becomes a wallet of the user, once however often it is used.
   * @throws ApiError 422 `too_many_wallets`
   */
  async proven(
    environmentId: EnvironmentId,
    userId: string,
    { key, credential }: ProvenIdentifier,
    tx: Transaction,
  ): Promise<EventDraft[]> {
    if (key.kind !== 'wallet') return [];
    const { wallet, isFull } = await this.signers.link(environmentId, userId, key, credential, tx);
    if (isFull) throw tooManyWallets();
    return wallet ? [ownWalletEvent(WALLET_LINKED, userId, wallet)] : [];
  }

  /**
   * The wallets are deleted with the user's row. Seeds and imported keys are retired and destroyed after 30 days; until
   * then an operator can restore a user deleted by mistake. The service's shares of shared keys are deleted at once:
   * these keys are lost with the user, unless the user's own shares suffice. A user created under the same id starts
   * with new keys.
   */
  async remove(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void> {
    // A concurrent request creating a wallet for the user adds keys that must be seen here.
    await this.wallets.lockUser(environmentId, userId, tx);
    const why = { actor: SERVICE, reason: 'the user was deleted' };
    await this.retirement.retire({ environmentId, userId }, why, tx);
  }

  /** A hidden wallet has no credential, but its keys are lost as well. */
  losesByErasure(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return this.embedded.hasEmbedded(environmentId, userId, tx);
  }

  /** With those of hidden wallets. */
  addresses(environmentId: EnvironmentId, userId: string, on?: Executor): Promise<HeldAddress[]> {
    return this.wallets.listAddresses(environmentId, userId, on);
  }

  /** Destroys the keys at once. */
  async erase(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void> {
    await this.wallets.lockUser(environmentId, userId, tx);
    const why = { actor: SERVICE, reason: 'the user was erased', graceDays: 0 };
    await this.retirement.retire({ environmentId, userId }, why, tx);
  }
}
