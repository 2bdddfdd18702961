import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { CustodianRegistry, thresholdAccount, type DealtShares, type KeyActor } from '../../custody/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import type { SecretBytes } from '../../vault/index.js';
import { WalletUpgrades, type UpgradableWallet } from '../../wallets/index.js';
import { DEALT_SCHEME, DealtCopies, type SealedDealing } from '../ahead/dealt-copies.js';

/** Shares by the id of their wallet. */
export type Dealt = ReadonlyMap<string, SealedDealing>;

/** Deals shares of keys held by the service to their users. */
@Injectable()
export class UpgradeDealing {
  constructor(
    private readonly upgrades: WalletUpgrades,
    private readonly custodians: CustodianRegistry,
    private readonly copies: DealtCopies,
  ) {}

  /**
   * Outside the transaction, since the signer deals. Wallets with shares already dealt keep those.
   *
   * @throws ApiError no_v1_embedded_wallet_found, seed_still_needed
   */
  async deal(environmentId: EnvironmentId, userId: string): Promise<Dealt> {
    const owner = { environmentId, userId };
    const wallets = await this.upgrades.list(environmentId, userId);
    const dealt = new Map<string, SealedDealing>();
    for (const wallet of wallets.filter(({ dealtKeysId }) => dealtKeysId === null)) {
      dealt.set(wallet.walletId, await this.copies.seal(owner, (lock) => this.dealOne(owner, wallet, lock)));
    }
    return dealt;
  }

  /** Of concurrent calls, one writes what it dealt. @throws ApiError not_found */
  async write(
    environmentId: EnvironmentId,
    userId: string,
    dealt: Dealt,
    actor: KeyActor,
    tx: Transaction,
  ): Promise<void> {
    if (dealt.size === 0) return;
    await this.upgrades.lockUser(environmentId, userId, tx);
    for (const [walletId, one] of dealt) {
      const wallet = { userId, walletId };
      if (!(await this.upgrades.begin(environmentId, wallet, one.dealt, actor, tx))) continue;
      await this.copies.keep(environmentId, userId, one, tx);
      await this.copies.write(environmentId, wallet, one, tx);
    }
  }

  private async dealOne(
    owner: { readonly environmentId: EnvironmentId; readonly userId: string },
    { walletId, chain, address, keysId: heldBy, index }: UpgradableWallet,
    lock: SecretBytes,
  ): Promise<DealtShares> {
    const keysId = newId();
    const held = { ...owner, chain, address, index, keysId: heldBy };
    const dealing = { keysId, walletId, scheme: DEALT_SCHEME, lock: lock.expose() } as const;
    const { kept, public: shares, copy } = await this.custodians.get('V1', 'deal').deal(held, dealing);
    const account = { chain, ...thresholdAccount(chain, shares) };
    if (account.address !== address) throw new Error('The dealt shares are of another address.');
    return { keysId, scheme: DEALT_SCHEME, shares, kept, copy, account };
  }
}
