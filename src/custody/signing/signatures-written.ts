import { Injectable } from '@nestjs/common';
import { SharedQuestions, UnitOfWork, wasUnmet, type EnvironmentId, type Transaction } from '../../database/index.js';
import { KeyLedger } from '../ledger/key-ledger.js';
import type { KeyUse } from '../ledger/ledger-entry.js';

/** A wallet as it was when its keys were used. */
export interface UsedWallet {
  readonly userId: string;
  readonly walletId: string;
  readonly keysId: string;
}

/** Keeps wallets unchanged while a signature is recorded. Implemented by the context that owns wallets. */
export abstract class WalletHolder {
  /** Waits for concurrent changes to the wallet. False if it was hidden or deleted, or has other keys. */
  abstract hold(environmentId: EnvironmentId, wallet: UsedWallet, tx: Transaction): Promise<boolean>;

  /** For each of several wallets, waiting for nothing: the transaction fails (`wasUnmet`) unless all are held at once. */
  abstract holdAll(environmentId: EnvironmentId, wallets: readonly UsedWallet[], tx: Transaction): void;
}

interface MadeSignature {
  readonly wallet: UsedWallet;
  readonly use: KeyUse;
}

/**
 * Records signatures in the ledger. All writers in an environment wait for the head of its ledger, from the row to the
 * end of the commit: those that wait together are written in one transaction, and answered once it is durable. Each has
 * a row of its own, chained to the one before it.
 */
@Injectable()
export class SignaturesWritten {
  private holder: WalletHolder | null = null;
  // One transaction at a time: a second one would only wait for the head.
  private readonly waiting = new SharedQuestions<MadeSignature, boolean>(
    (environmentId, made) => this.writeAll(environmentId, made),
    1,
  );

  constructor(
    private readonly ledger: KeyLedger,
    private readonly work: UnitOfWork,
  ) {}

  register(holder: WalletHolder): void {
    this.holder = holder;
  }

  /** False, with nothing written, if the wallet no longer exists. */
  async write(environmentId: EnvironmentId, wallet: UsedWallet, use: KeyUse): Promise<boolean> {
    const isWritten = await this.waiting.put(environmentId, { wallet, use });
    // Someone is changing a wallet of the batch: each call waits for its own.
    return isWritten || this.writeAlone(environmentId, { wallet, use });
  }

  /** In one round trip: the head of the ledger is held for no longer than the commit takes. */
  private async writeAll(environmentId: EnvironmentId, made: readonly MadeSignature[]): Promise<readonly boolean[]> {
    const wallets = made.map(({ wallet }) => wallet);
    const uses = made.map(({ use }) => use);
    try {
      await this.work.run(async (tx) => {
        this.holding.holdAll(environmentId, wallets, tx);
        this.ledger.recordAll(environmentId, uses, tx);
      });
      return made.map(() => true);
    } catch (error) {
      if (!wasUnmet(error)) throw error;
      return made.map(() => false);
    }
  }

  private writeAlone(environmentId: EnvironmentId, { wallet, use }: MadeSignature): Promise<boolean> {
    return this.work.run(async (tx) => {
      const isHeld = await this.holding.hold(environmentId, wallet, tx);
      if (isHeld) this.ledger.record(environmentId, use, tx);
      return isHeld;
    });
  }

  private get holding(): WalletHolder {
    if (!this.holder) throw new Error('No context has wallets.');
    return this.holder;
  }
}
