import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { KeyLedger, type DealtShares, type KeyActor, type WalletOfShares } from '../../custody/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { ChangeLog } from '../../organizations/index.js';
import { DelegationEndings } from '../delegation/delegation-endings.js';
import { actorOf } from '../record/wallet-actor.js';
import { noV1EmbeddedWallet, seedStillNeeded, tooManySharedWallets } from '../record/wallet.errors.js';
import { WALLET_UPGRADED, walletEvent } from '../record/wallet.events.js';
import { MAX_SHARED_PER_USER } from '../record/wallet-limits.js';
import { WalletsRepository } from '../record/wallets.repository.js';
import { KeyRetirement } from './key-retirement.js';
import { WalletUpgradesRepository, type UpgradableWallet } from './wallet-upgrades.repository.js';

/**
 * Upgrades wallets from version V1 to V3 with the same address. Between the dealing of the shares and the first refresh
 * they stay unchanged; the transaction of that refresh turns them into wallets with a shared key.
 */
@Injectable()
export class WalletUpgrades {
  constructor(
    private readonly upgrades: WalletUpgradesRepository,
    private readonly wallets: WalletsRepository,
    private readonly retirement: KeyRetirement,
    private readonly delegations: DelegationEndings,
    private readonly ledger: KeyLedger,
    private readonly changes: ChangeLog,
  ) {}

  /**
   * The wallets whose keys no other wallet needs.
   *
   * @throws ApiError no_v1_embedded_wallet_found, seed_still_needed when none qualifies
   */
  async list(environmentId: EnvironmentId, userId: string): Promise<UpgradableWallet[]> {
    const wallets = await this.upgrades.list(environmentId, userId);
    if (wallets.length === 0) throw noV1EmbeddedWallet();
    const free = wallets.filter(({ isBound }) => !isBound);
    if (free.length === 0) throw seedStillNeeded();
    return free;
  }

  /** Serialises dealing for one user. @throws ApiError not_found when the user is gone */
  async lockUser(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void> {
    if (!(await this.wallets.lockUser(environmentId, userId, tx))) throw notFound();
  }

  /** From here on a refresh of the dealt shares upgrades the wallet. False when others were already dealt. */
  async begin(
    environmentId: EnvironmentId,
    wallet: { readonly userId: string; readonly walletId: string },
    { keysId, scheme, account }: DealtShares,
    actor: KeyActor,
    tx: Transaction,
  ): Promise<boolean> {
    const { userId, walletId } = wallet;
    if (!(await this.upgrades.begin(environmentId, { userId, walletId, keysId }, tx))) return false;
    const { chain, address, publicKey } = account;
    const subject = { walletId, chain, address, protocol: 'FROST', scheme };
    const digest = createHash('sha256').update(publicKey).digest();
    const about = { actor, userId, keysId, subject, reason: 'dealt to upgrade the wallet', digest };
    this.ledger.record(environmentId, { operation: 'create', ...about, verdict: 'allowed' }, tx);
    return true;
  }

  /**
   * Runs after the dealt shares were refreshed, in the same transaction. A no-op for other wallets. With the last
   * wallet of its keys, the keys are destroyed; access given to them ends. The caller must have locked the user, so
   * that no other wallet is made from the keys meanwhile.
   *
   * @throws ApiError too_many_wallets, seed_still_needed when the keys were used for another wallet meanwhile
   */
  async complete(wallet: WalletOfShares, actor: KeyActor, tx: Transaction): Promise<void> {
    const { environmentId, userId, walletId } = wallet;
    const keysId = await this.upgrades.complete(environmentId, wallet, tx);
    if (keysId === null) return;
    // The count already includes this wallet.
    if ((await this.wallets.countShared(environmentId, userId, tx)) > MAX_SHARED_PER_USER) throw tooManySharedWallets();
    const reason = `upgrade of ${walletId}`;
    await this.delegations.endWithKeys(environmentId, { walletId, keysId }, { actor, reason }, tx);
    const { left, bound } = await this.upgrades.countLeft(environmentId, userId, keysId, tx);
    if (bound > 0) throw seedStillNeeded();
    if (left === 0) {
      await this.retirement.retire({ environmentId, userId, keysId }, { actor, reason, graceDays: 0 }, tx);
    }
    const upgraded = await this.upgrades.updateCredential(environmentId, { userId, walletId }, tx);
    const drafts = [walletEvent(WALLET_UPGRADED, userId, upgraded)];
    await this.changes.tell(environmentId, { type: 'wallet', actor: actorOf(actor), drafts }, tx);
  }
}
