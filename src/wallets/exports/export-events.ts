import { Injectable } from '@nestjs/common';
import { Outbox, type EnvironmentId, type Transaction } from '../../database/index.js';
import { ownWalletEvent, WALLET_EXPORTED } from '../record/wallet.events.js';
import { WalletsRepository } from '../record/wallets.repository.js';

/** Publishes that a user has exported a key. */
@Injectable()
export class ExportEvents {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly outbox: Outbox,
  ) {}

  /** @param tx the transaction that holds the wallet and records the export */
  async append(environmentId: EnvironmentId, userId: string, walletId: string, tx: Transaction): Promise<void> {
    const wallet = await this.wallets.findById(environmentId, walletId, tx);
    if (wallet) await this.outbox.append(environmentId, [ownWalletEvent(WALLET_EXPORTED, userId, wallet)], tx);
  }
}
