import { Injectable, Logger } from '@nestjs/common';
import {
  CustodianRegistry,
  KeyLedger,
  noCompatibleWalletService,
  type KeyActor,
  type KeyOwner,
  type KeyUse,
} from '../../custody/index.js';
import type { Transaction } from '../../database/index.js';
import type { DeletedShares, KeysOfVersion } from '../record/wallet-shares.js';
import { UserSharesRepository } from './user-shares.repository.js';

/** Days between the end of keys and their destruction: until then an operator can undo a mistake. */
const GRACE_DAYS = 30;

/** Who ends keys, and why. */
export interface Retirement {
  readonly actor: KeyActor;
  readonly reason: string;
  readonly digest?: Buffer;
  /** Days until the keys are destroyed; 30 where nothing is said. Shares of keys go at once, whatever it says. */
  readonly graceDays?: number;
}

/** Takes the keys of a user out of use, whoever holds them, and tells the ledger. */
@Injectable()
export class KeyRetirement {
  private readonly log = new Logger('KeyRetirement');

  constructor(
    private readonly custodians: CustodianRegistry,
    private readonly shares: UserSharesRepository,
    private readonly ledger: KeyLedger,
  ) {}

  /**
   * All keys of the user, or those of one id, of which most custodians have none. With all go the service's shares of keys
   * that it shares with the user, of which no custodian knows.
   *
   * @throws Error when a custodian takes other keys out of use than those that were named
   */
  async retire(owner: KeyOwner & { readonly keysId?: string }, why: Retirement, tx: Transaction): Promise<void> {
    const { actor, reason, digest, graceDays = GRACE_DAYS } = why;
    const { environmentId, userId, keysId: named = null } = owner;
    for (const { can, version } of this.custodians.all()) {
      for (const keysId of (await can.create?.retire(owner, graceDays, tx)) ?? []) {
        if (named !== null && keysId !== named)
          throw new Error(`The custodian of ${version} retired other keys than those named.`);
        const about = { actor, userId, keysId, subject: { graceDays }, reason, digest: digest ?? null };
        this.ledger.record(environmentId, { operation: 'delete', ...about, verdict: 'allowed' }, tx);
      }
    }
    if (named !== null) return;
    const { held, shares } = await this.shares.delete(environmentId, userId, tx);
    this.tellOfUnheld(owner, held, why, tx);
    this.tellOfShares(owner, shares, why, tx);
  }

  /**
   * Of keys that lose their last wallet, those whose custodian was taken away: nobody here can destroy them, and no wallet
   * names them any more. The ledger and the log do, for whoever is to tell those that hold them.
   */
  tellOfUnheld(
    { environmentId, userId }: KeyOwner,
    keys: readonly KeysOfVersion[],
    { actor, reason, digest }: Omit<Retirement, 'graceDays'>,
    tx: Transaction,
  ): void {
    const held = new Set(this.custodians.all().map(({ version }) => version));
    const left = new Map(keys.map(({ keysId, version }) => [keysId, version]));
    const unheld = [...left].filter(([, version]) => !held.has(version));
    if (unheld.length === 0) return;
    const verdict = noCompatibleWalletService().code;
    const uses = unheld.map(([keysId, version]): KeyUse => {
      const about = { actor, userId, keysId, subject: { version }, reason, digest: digest ?? null };
      return { operation: 'delete', ...about, verdict };
    });
    this.ledger.recordAll(environmentId, uses, tx);
    tx.afterCommit(() => {
      for (const [keysId, version] of unheld)
        this.log.warn(
          `environment=${environmentId} keys=${keysId} stay: version ${version} has no custodian any more.`,
        );
    });
  }

  /** Tells the ledger of shares that this transaction has deleted. */
  tellOfShares(
    { environmentId, userId }: KeyOwner,
    deleted: readonly DeletedShares[],
    { actor, reason, digest }: Omit<Retirement, 'graceDays'>,
    tx: Transaction,
  ): void {
    const uses = deleted.map(({ keysId, ...shares }): KeyUse => {
      const about = { actor, userId, keysId, subject: { ...shares, graceDays: 0 }, reason };
      return { operation: 'delete', ...about, digest: digest ?? null, verdict: 'allowed' };
    });
    this.ledger.recordAll(environmentId, uses, tx);
  }
}
