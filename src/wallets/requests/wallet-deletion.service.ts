import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { isUuid } from '../../common/ids.js';
import { keyActorOf } from '../../custody/index.js';
import { Outbox, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { KeyRetirement } from '../making/key-retirement.js';
import { PastTotalsRepository } from '../policies/past-totals.repository.js';
import { signedRequestRefused } from '../record/wallet.errors.js';
import { ownWalletEvent, WALLET_DELETED } from '../record/wallet.events.js';
import { WalletsRepository } from '../record/wallets.repository.js';
import type { KeyvaultSignedRequest } from './key-request.dto.js';
import { DELETE_WALLETS } from './request-bodies.js';
import { SignedRequests } from './signed-requests.service.js';
import { WalletDeletionRepository } from './wallet-deletion.repository.js';

/** Permanent deletion of embedded wallets, by a request signed with the session's key. */
@Injectable()
export class WalletDeletion {
  constructor(
    private readonly requests: SignedRequests,
    private readonly deletion: WalletDeletionRepository,
    private readonly wallets: WalletsRepository,
    private readonly pastTotals: PastTotalsRepository,
    private readonly retirement: KeyRetirement,
    private readonly outbox: Outbox,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Deletes all of them or none. With the last wallet of a seed, an imported key or the keys of another custodian,
   * these are retired, and destroyed after 30 days; for a shared key, the service's shares are deleted at once.
   *
   * @throws ApiError signed_request_refused, no_hd_wallet_found, not_found unless all are wallets of the caller that
   *   are not hidden
   */
  async delete(environmentId: EnvironmentId, caller: EndUserPrincipal, signed: KeyvaultSignedRequest): Promise<void> {
    const { userId } = caller;
    const request = await this.requests.verify(environmentId, caller, signed, DELETE_WALLETS);
    const walletIds = idsOf(request.parameters['walletIds']);
    assertWithoutExport(request.parameters['deleteWithoutExport']);
    await this.work.run(async (tx) => {
      // Waits for requests that are creating wallets from these keys.
      if (!(await this.wallets.lockUser(environmentId, userId, tx))) throw notFound();
      await request.use(tx);
      this.deletion.lock(environmentId, userId, walletIds, tx);
      this.pastTotals.keep(environmentId, walletIds, tx);
      const deleted = await this.deletion.remove(environmentId, userId, walletIds, tx);
      if (deleted.length < walletIds.length) throw notFound();
      const events = deleted.map(({ wallet }) => ownWalletEvent(WALLET_DELETED, userId, wallet));
      await this.outbox.append(environmentId, events, tx);
      const about = { actor: keyActorOf(caller), reason: 'the user deleted the wallets', digest: request.digest };
      const shares = deleted.flatMap((wallet) => wallet.shares);
      this.retirement.tellOfShares({ environmentId, userId }, shares, about, tx);
      const inUse = await this.deletion.keysInUse(environmentId, userId, tx);
      const ended = deleted.filter(({ keysId, isHeld }) => isHeld && !inUse.has(keysId));
      this.retirement.tellOfUnheld({ environmentId, userId }, ended, about, tx);
      if (inUse.size === 0) return this.retirement.retire({ environmentId, userId }, about, tx);
      for (const keysId of new Set(deleted.map((wallet) => wallet.keysId))) {
        if (!inUse.has(keysId)) await this.retirement.retire({ environmentId, userId, keysId }, about, tx);
      }
    });
  }
}

/** Whether a key has ever been exported is not known, so a deletion that depends on it cannot be carried out. */
function assertWithoutExport(value: unknown): void {
  if (value === undefined || value === true) return;
  throw signedRequestRefused({ payload: { reason: 'deleteWithoutExport must be true: exports are not looked at' } });
}

function idsOf(value: unknown): string[] {
  const ids = Array.isArray(value) ? (value as unknown[]).filter((id) => typeof id === 'string') : [];
  const unique = [...new Set(ids.map((id) => id.toLowerCase()))];
  const isList = Array.isArray(value) && value.length > 0 && unique.length === value.length && unique.every(isUuid);
  if (!isList) throw signedRequestRefused({ payload: { reason: 'it names no wallets' } });
  return unique;
}
