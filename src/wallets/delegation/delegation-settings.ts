import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { NotifiedChanges } from '../../identity/index.js';
import type {
  DelegatedShareDeliveryRequestEncryptedDelegatedShare,
  UpdateWaasWalletSettingsResponse,
} from './delegated-access.dto.js';
import { delegationOff, invalidDelegation } from './delegated-access.errors.js';
import { DelegationEndings } from './delegation-endings.js';
import { DelegationKeysRepository } from './delegation-keys.repository.js';
import { DelegationRecords, type Actor } from './delegation-records.js';
import { WalletDelegationsRepository } from './wallet-delegations.repository.js';

/** Whether access to wallets may be given: decided by the team for the environment, and by users for each wallet. */
@Injectable()
export class DelegationSettings {
  constructor(
    private readonly settings: EnvironmentSettingsReader,
    private readonly keys: DelegationKeysRepository,
    private readonly delegations: WalletDelegationsRepository,
    private readonly endings: DelegationEndings,
    private readonly records: DelegationRecords,
    private readonly limit: NotifiedChanges,
    private readonly work: UnitOfWork,
  ) {}

  /** @throws ApiError delegated_access_off */
  async assertOn(environmentId: EnvironmentId): Promise<void> {
    const { sdk } = await this.settings.get(environmentId);
    if (sdk.waas?.delegatedAccess?.enabled !== true) throw delegationOff();
  }

  /** @throws ApiError delegated_access_off, invalid_delegated_access */
  async assertSealedToActiveKey(
    environmentId: EnvironmentId,
    { alg, kid }: DelegatedShareDeliveryRequestEncryptedDelegatedShare,
  ): Promise<void> {
    await this.assertOn(environmentId);
    const key = await this.keys.findActive(environmentId);
    const refused = (reason: string): Error => invalidDelegation({ payload: { reason } });
    if (!key) throw refused('the environment has no active encryption key');
    if (kid !== undefined && kid !== key.kid) throw refused('kid is not that of the active key');
    if (alg !== key.alg) throw refused(`the active key is for ${key.alg}`);
  }

  /**
   * A refusal ends the access that was given. The user is told when it is lifted: access can then be given again.
   *
   * @throws ApiError not_found unless it is an embedded wallet of the caller that is not hidden, too_many_requests
   */
  async update(
    environmentId: EnvironmentId,
    { caller, client }: Actor,
    walletId: string,
    isDenied: boolean,
  ): Promise<UpdateWaasWalletSettingsResponse> {
    const change = { walletId, isDenied };
    let changed = await this.change(environmentId, caller, change);
    if (changed === 'to be counted') {
      await this.limit.assertWithin(environmentId, caller.userId);
      changed = await this.change(environmentId, caller, { ...change, isCounted: true });
    }
    if (typeof changed === 'object') {
      const happened = { change: 'accessAllowed', address: changed.allowedAgain } as const;
      await this.records.tellUser(environmentId, { caller, client }, happened);
    }
    return { walletId, settings: { hasDeniedDelegatedAccess: isDenied } };
  }

  /** Lifting a refusal counts against a rate limit; whether there is one to lift is known once the wallet is locked. */
  private change(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { walletId, isDenied, isCounted = false }: { walletId: string; isDenied: boolean; isCounted?: boolean },
  ): Promise<'done' | 'to be counted' | { readonly allowedAgain: string }> {
    return this.work.run(async (tx) => {
      const wallet = await this.delegations.lockWallet(environmentId, caller.userId, walletId, tx);
      if (!wallet) throw notFound();
      if (isDenied) await this.endings.end(environmentId, caller, [walletId], tx);
      if (wallet.isDenied === isDenied) return 'done';
      if (!isDenied && !isCounted) return 'to be counted';
      await this.delegations.setDenied(environmentId, walletId, isDenied, tx);
      await this.records.refusal(environmentId, { caller, walletId, isDenied }, tx);
      return isDenied ? 'done' : { allowedAgain: wallet.address };
    });
  }
}
