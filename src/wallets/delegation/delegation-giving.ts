import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { CustodianRegistry } from '../../custody/index.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { walletNotClaimed } from '../record/wallet.errors.js';
import { HeldWalletsRepository } from '../signing/held-wallets.repository.js';
import { assertSignedByCustodian, readAccess } from './delegated-access.js';
import type { DelegatedShareDeliveryRequest, DelegatedShareDeliveryResponse } from './delegated-access.dto.js';
import { delegationDenied, invalidDelegation } from './delegated-access.errors.js';
import { DelegationRecords, type Actor } from './delegation-records.js';
import { DelegationSettings } from './delegation-settings.js';
import { DelegationTerms } from './delegation-terms.js';
import { WalletDelegationsRepository } from './wallet-delegations.repository.js';

const refused = (reason: string): Error => invalidDelegation({ payload: { reason } });

/**
 * Lets a user give access to a wallet: what the client sealed goes to the team in an event. The service cannot open it
 * and keeps only the hash of the secret inside; presenting that secret proves that the delivery was opened.
 */
@Injectable()
export class DelegationGiving {
  constructor(
    private readonly settings: DelegationSettings,
    private readonly wallets: HeldWalletsRepository,
    private readonly delegations: WalletDelegationsRepository,
    private readonly records: DelegationRecords,
    private readonly terms: DelegationTerms,
    private readonly custodians: CustodianRegistry,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * @throws ApiError not_found, no_delegated_access_to_shared_keys, not_supported_by_custodian,
   *   no_compatible_wallet_service_enabled, wallet_not_claimed, delegated_access_off,
   *   delegated_access_denied, invalid_delegated_access, fresh_proof_required
   */
  async give(
    environmentId: EnvironmentId,
    { caller, client }: Actor,
    { walletId, elevated }: { walletId: string; elevated: string | null },
    request: DelegatedShareDeliveryRequest,
  ): Promise<DelegatedShareDeliveryResponse> {
    const { userId } = caller;
    const wallet = await this.wallets.find(environmentId, userId, walletId);
    if (!wallet) throw notFound();
    assertSignedByCustodian(this.custodians, wallet);
    if (!wallet.isClaimed) throw walletNotClaimed();
    await this.settings.assertSealedToActiveKey(environmentId, request.encryptedDelegatedShare);
    const { credentialHash: hash, grant } = request;
    if (hash === undefined) throw refused('credentialHash is required for a wallet of version V1');
    const access = readAccess(grant, wallet.chain);
    const given = {
      id: newId(),
      walletId: wallet.walletId,
      userId,
      access,
      expiresAt: this.terms.endOf(request.expiresAt),
    };
    // Checked again inside the transaction. A refusal here does not use up the proof.
    if (await this.delegations.isDenied(environmentId, wallet.walletId)) throw delegationDenied();
    await this.terms.assertProven(environmentId, caller, elevated);
    const giving = { caller, wallet, given, sealed: request.encryptedDelegatedShare };
    await this.work.run(async (tx) => {
      const locked = await this.delegations.lockWallet(environmentId, userId, wallet.walletId, tx);
      if (!locked || !(await this.wallets.hold(environmentId, userId, wallet, tx))) throw notFound();
      if (locked.isDenied) throw delegationDenied();
      await this.delegations.give(environmentId, { ...given, credentialHash: Buffer.from(hash, 'hex') }, tx);
      await this.records.given(environmentId, giving, tx);
    });
    const happened = { change: 'accessGiven', address: wallet.address, until: given.expiresAt } as const;
    await this.records.tellUser(environmentId, { caller, client }, happened);
    return { delegatedShareDeliveryId: given.id, status: 'accepted', message: 'The delivery is on its way.' };
  }
}
