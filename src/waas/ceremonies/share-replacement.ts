import { Injectable } from '@nestjs/common';
import { ThresholdKeys, type Ceremony, type WalletOfShares } from '../../custody/index.js';
import { Outbox, type Transaction } from '../../database/index.js';
import { WalletUpgrades } from '../../wallets/index.js';
import { WalletSecretsRepository } from '../secrets/wallet-secrets.repository.js';
import { keySharesChanged } from '../waas.errors.js';
import { resharedEvent } from '../waas.events.js';

type Replacing = Parameters<ThresholdKeys['replace']>;

/** Replaces the old shares with new ones, and deletes what was there for the old ones only. */
@Injectable()
export class ShareReplacement {
  constructor(
    private readonly keys: ThresholdKeys,
    private readonly secrets: WalletSecretsRepository,
    private readonly upgrades: WalletUpgrades,
    private readonly outbox: Outbox,
  ) {}

  /**
   * For dealt shares, deletes their passcode and retires the key they were dealt from.
   *
   * @throws ApiError key_shares_changed, seed_still_needed, too_many_wallets
   */
  async put(
    ceremony: Ceremony,
    wallet: WalletOfShares,
    anew: Replacing[2],
    use: Replacing[3],
    tx: Transaction,
  ): Promise<void> {
    if (!(await this.keys.replace(ceremony, wallet, anew, use, tx))) throw keySharesChanged();
    const { environmentId, userId, walletId, chain } = wallet;
    await this.secrets.deletePasscode(environmentId, walletId, tx);
    await this.upgrades.complete(wallet, use.actor, tx);
    const { scheme, generation } = anew;
    const shown = { kind: use.operation, thresholdSignatureScheme: scheme, generation: generation + 1 };
    await this.outbox.append(environmentId, [resharedEvent({ id: walletId, userId, chain, ...shown })], tx);
  }
}
