import { Injectable } from '@nestjs/common';
import type { DashboardPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { keyActorOf, KeyLedger, type KeyActor, type KeyUse } from '../../custody/index.js';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { ChangeLog } from '../../organizations/index.js';
import type { EndUserPrincipal } from '../../auth/index.js';
import { actorOf } from '../record/wallet-actor.js';
import type { RevokeDelegatedAccessResponse } from './delegated-access.dto.js';
import { DELEGATION_REVOKED } from './delegated-access.events.js';
import { WalletDelegationsRepository, type EndedDelegation } from './wallet-delegations.repository.js';

type Ender = DashboardPrincipal | EndUserPrincipal;

/** Who ends access, and why. */
interface Ending {
  readonly actor: KeyActor;
  readonly reason: string;
}

/** Revokes access to wallets with immediate effect: a signature in progress is not returned. */
@Injectable()
export class DelegationEndings {
  constructor(
    private readonly delegations: WalletDelegationsRepository,
    private readonly ledger: KeyLedger,
    private readonly changes: ChangeLog,
    private readonly work: UnitOfWork,
  ) {}

  /** @throws ApiError not_found if no access to such a wallet was given */
  async revoke(environmentId: EnvironmentId, caller: DashboardPrincipal, walletId: string): Promise<void> {
    const ended = await this.work.run((tx) => this.end(environmentId, caller, [walletId], tx));
    if (ended.length === 0) throw notFound();
  }

  async revokeMany(
    environmentId: EnvironmentId,
    caller: DashboardPrincipal,
    walletIds: readonly string[],
  ): Promise<RevokeDelegatedAccessResponse> {
    const asked = [...new Set(walletIds.map((id) => id.toLowerCase()))];
    const ended = await this.work.run((tx) => this.end(environmentId, caller, asked, tx));
    const done = new Set(ended.map(({ walletId }) => walletId));
    const results = asked.map((walletId) =>
      done.has(walletId) ? { walletId, success: true } : { walletId, success: false, error: 'not_found' },
    );
    return { results, total: asked.length, succeeded: done.size, failed: asked.length - done.size };
  }

  /** @returns the access that this call ended */
  async end(
    environmentId: EnvironmentId,
    caller: Ender,
    walletIds: readonly string[],
    tx: Transaction,
  ): Promise<EndedDelegation[]> {
    const ended = await this.delegations.revoke(environmentId, walletIds, tx);
    await this.tell(environmentId, ended, { actor: keyActorOf(caller), reason: 'access is taken back' }, tx);
    return ended;
  }

  /** Ends access to a wallet along with the keys it was given for. The caller must have locked the wallet. */
  async endWithKeys(
    environmentId: EnvironmentId,
    { walletId, keysId }: { readonly walletId: string; readonly keysId: string },
    ending: Ending,
    tx: Transaction,
  ): Promise<void> {
    const ended = await this.delegations.revoke(environmentId, [walletId], tx);
    await this.tell(
      environmentId,
      ended.map((one) => ({ ...one, keysId })),
      ending,
      tx,
    );
  }

  private async tell(
    environmentId: EnvironmentId,
    ended: readonly EndedDelegation[],
    ending: Ending,
    tx: Transaction,
  ): Promise<void> {
    if (ended.length === 0) return;
    for (const one of ended) this.ledger.record(environmentId, useOf(one, ending), tx);
    const drafts = ended.map(({ walletId, userId }) => ({
      event: DELEGATION_REVOKED,
      resourceId: walletId,
      data: { walletId, userId },
    }));
    await this.changes.tell(environmentId, { type: 'wallet', actor: actorOf(ending.actor), drafts }, tx);
  }
}

function useOf({ walletId, userId, chain, address, keysId }: EndedDelegation, { actor, reason }: Ending): KeyUse {
  const about = { actor, userId, keysId, subject: { walletId, chain, address } };
  return { operation: 'delegate', ...about, reason, digest: null, verdict: 'allowed' };
}
