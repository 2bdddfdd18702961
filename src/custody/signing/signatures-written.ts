import { Injectable } from '@nestjs/common';
import { SharedQuestions, UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { KeyLedger } from '../ledger/key-ledger.js';
import type { KeyUse } from '../ledger/ledger-entry.js';

/** A wallet as it was when its keys were used. */
export interface UsedWallet {
  readonly userId: string;
  readonly walletId: string;
  readonly keysId: string;
}

/** Whoever has wallets keeps them as they are while a signature is written. */
export abstract class WalletHolder {
  /** Waits for who changes the wallet. False when it was hidden or deleted, or has other keys. */
  abstract hold(environmentId: EnvironmentId, wallet: UsedWallet, tx: Transaction): Promise<boolean>;

  /** Waits for nobody. @returns for each whether it is held now; false also where somebody changes it at this moment */
  abstract holdAtOnce(
    environmentId: EnvironmentId,
    wallets: readonly UsedWallet[],
    tx: Transaction,
  ): Promise<readonly boolean[]>;
}

interface MadeSignature {
  readonly wallet: UsedWallet;
  readonly use: KeyUse;
}

/**
 * Signatures on their way into the ledger. All of an environment wait for the head of its ledger, from the row to the end
 * of the commit: those that wait together are written by one transaction, and answered when it is on disk. Each has a row
 * of its own, that follows from the one before it.
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

  /** False, and nothing is written, when the wallet is not there any more. */
  async write(environmentId: EnvironmentId, wallet: UsedWallet, use: KeyUse): Promise<boolean> {
    const isWritten = await this.waiting.put(environmentId, { wallet, use });
    // Somebody changes the wallet: whoever waits for that end does it alone.
    return isWritten || this.writeAlone(environmentId, { wallet, use });
  }

  private writeAll(environmentId: EnvironmentId, made: readonly MadeSignature[]): Promise<readonly boolean[]> {
    return this.work.run(async (tx) => {
      const held = await this.holding.holdAtOnce(
        environmentId,
        made.map(({ wallet }) => wallet),
        tx,
      );
      const uses = made.filter((_, at) => held[at]).map(({ use }) => use);
      this.ledger.recordAll(environmentId, uses, tx);
      return held;
    });
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
