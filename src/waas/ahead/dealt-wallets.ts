import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { ThresholdKeys, type KeyActor, type ThresholdChain } from '../../custody/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { ThresholdWallets } from '../../wallets/index.js';
import { DEALT_SCHEME, DealtCopies, type SealedDealing } from './dealt-copies.js';

/** A wallet ready to be written. */
export interface DealtWallet extends SealedDealing {
  readonly walletId: string;
}

/** Wallets whose shares the service deals, for users who are not present. */
@Injectable()
export class DealtWallets {
  constructor(
    private readonly wallets: ThresholdWallets,
    private readonly keys: ThresholdKeys,
    private readonly copies: DealtCopies,
  ) {}

  /** The slow half, before the transaction. Nothing is written. @throws ApiError 403 from a wallet rule */
  async draft(
    environmentId: EnvironmentId,
    { userId, isNew }: { userId: string; isNew: boolean },
    chain: ThresholdChain,
  ): Promise<DealtWallet> {
    const owner = { environmentId, userId };
    const keys = { ...owner, walletId: newId(), keysId: newId() };
    const about = { chain, scheme: DEALT_SCHEME } as const;
    const sealed = await this.copies.seal(owner, (lock) => this.keys.deal(keys, about, lock));
    await this.wallets.assertAdmitted(environmentId, isNew ? null : userId, sealed.dealt.account.address);
    return { walletId: keys.walletId, ...sealed };
  }

  /** The quick half: the wallet, its shares, the user's copy and its passcode. @throws ApiError too_many_wallets */
  async write(
    environmentId: EnvironmentId,
    userId: string,
    { walletId, ...sealed }: DealtWallet,
    actor: KeyActor,
    tx: Transaction,
  ): Promise<void> {
    const { keysId, scheme, account } = sealed.dealt;
    const wallet = { userId, walletId, keysId, scheme, account, reason: 'dealt ahead of the user', claimed: false };
    const keep = () => this.copies.keep(environmentId, userId, sealed, tx);
    await this.wallets.make(environmentId, wallet, { actor, keep }, tx);
    await this.copies.write(environmentId, { userId, walletId }, sealed, tx);
  }
}
