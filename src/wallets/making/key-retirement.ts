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

/** Days between the retirement of keys and their destruction, in which an operator can undo a mistake. */
const GRACE_DAYS = 30;

/** Who retires keys, and why. */
export interface Retirement {
  readonly actor: KeyActor;
  readonly reason: string;
  readonly digest?: Buffer;
  /** Days until the keys are destroyed; 30 by default. Shares of keys are deleted at once regardless. */
  readonly graceDays?: number;
}

/** Retires the keys of a user at every custodian, and records it in the ledger. */
@Injectable()
export class KeyRetirement {
  private readonly log = new Logger('KeyRetirement');

  constructor(
    private readonly custodians: CustodianRegistry,
    private readonly shares: UserSharesRepository,
    private readonly ledger: KeyLedger,
  ) {}

  /**
   * Retires all keys of the user, or those with one id, which most custodians do not have. Retiring all also deletes
   * the service's shares of keys it shares with the user, which no custodian knows of.
   *
   * @throws Error when a custodian retires keys other than those named
   */
  async retire(owner: KeyOwner & { readonly keysId?: string }, why: Retirement, tx: Transaction): Promise<void> {
    const { actor, reason, digest, graceDays = GRACE_DAYS } = why;
    const { environmentId, userId, keysId: named = null } = owner;
    for (const { can, version } of this.custodians.all()) {
      for (const keysId of (await can.retire?.retire(owner, graceDays, tx)) ?? []) {
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
   * Records keys that lost their last wallet but whose custodian was removed: they cannot be destroyed from here, and
   * no wallet names them any more. The ledger and the log do, so that an operator can tell whoever holds them.
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

  /** Records shares deleted by this transaction in the ledger. */
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
