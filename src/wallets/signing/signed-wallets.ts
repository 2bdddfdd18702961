import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SignaturesWritten, WalletHolder, type UsedWallet } from '../../custody/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { HeldWalletsRepository } from './held-wallets.repository.js';

/** Locks wallets while their signatures are recorded. */
@Injectable()
export class SignedWallets extends WalletHolder implements OnModuleInit {
  constructor(
    private readonly wallets: HeldWalletsRepository,
    private readonly written: SignaturesWritten,
  ) {
    super();
  }

  onModuleInit(): void {
    this.written.register(this);
  }

  override hold(environmentId: EnvironmentId, wallet: UsedWallet, tx: Transaction): Promise<boolean> {
    return this.wallets.hold(environmentId, wallet.userId, wallet, tx);
  }

  override holdAll(environmentId: EnvironmentId, wallets: readonly UsedWallet[], tx: Transaction): void {
    this.wallets.holdAll(environmentId, wallets, tx);
  }
}
