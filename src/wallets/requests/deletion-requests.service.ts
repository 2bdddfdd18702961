import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { notFound } from '../../common/errors/index.js';
import type { EnvironmentId } from '../../database/index.js';
import type { KeyvaultDeleteEmbeddedWalletsRequestBody } from './key-request.dto.js';
import { deleteBody } from './request-bodies.js';
import { SignedRequests } from './signed-requests.service.js';
import { WalletDeletionRepository } from './wallet-deletion.repository.js';

/** The requests that users sign to delete embedded wallets. */
@Injectable()
export class DeletionRequests {
  constructor(
    private readonly requests: SignedRequests,
    private readonly deletion: WalletDeletionRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param walletId null for all wallets of the caller that are not hidden
   * @throws ApiError not_found for a wallet not among these, and if there are none
   */
  async prepare(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    walletId: string | null,
  ): Promise<KeyvaultDeleteEmbeddedWalletsRequestBody> {
    const all = await this.deletion.idsOf(environmentId, caller.userId);
    const walletIds = walletId === null ? all : all.filter((id) => id === walletId.toLowerCase());
    if (walletIds.length === 0) throw notFound();
    return deleteBody(await this.requests.keysOf(environmentId, caller), walletIds, this.clock.now());
  }
}
