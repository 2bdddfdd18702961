import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { duplicateExists, type EnvironmentId, type Work } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { CredentialWriter, WalletChecks, type CreateWalletRequest, type UserWallet } from '../../identity/index.js';
import { externalCredential } from '../record/wallet-credential.js';
import { tooManyWallets } from '../record/wallet.errors.js';
import { MAX_EXTERNAL_PER_USER } from '../record/wallet-limits.js';
import { WALLET_LINKED, walletEvent } from '../record/wallet.events.js';
import { ExternalWalletsRepository } from '../record/external-wallets.repository.js';
import { WalletsRepository } from '../record/wallets.repository.js';

/** Wallets whose keys the user keeps elsewhere. */
@Injectable()
export class ExternalWalletsService {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly external: ExternalWalletsRepository,
    private readonly credentials: CredentialWriter,
    private readonly changes: ChangeLog,
    private readonly checks: WalletChecks,
  ) {}

  /**
   * Attaches a wallet to the user named by an API call. That proves nothing: the credential cannot open an account for
   * which somebody has proven ownership, and several users may be assigned the same address, each of them once.
   *
   * @throws ApiError not_found for an unknown user, duplicate_exists, too_many_wallets, 403 from a wallet rule
   */
  async attach(
    environmentId: EnvironmentId,
    userId: string,
    request: CreateWalletRequest,
    actor: Actor,
    work: Work,
  ): Promise<UserWallet> {
    const wallet = {
      id: newId(),
      name: request.walletName,
      chain: request.chain,
      address: request.publicWalletAddress,
      provider: request.walletProvider,
      additionalAddresses: request.additionalWalletAddresses ?? [],
    };
    const addresses = [wallet.address, ...wallet.additionalAddresses.map(({ address }) => address)];
    await this.checks.assertAdmitted(environmentId, addresses, userId);
    return work.run(async (tx) => {
      if (!(await this.wallets.lockUser(environmentId, userId, tx))) throw notFound();
      const { count, isThere } = await this.external.count(environmentId, userId, wallet, tx);
      if (isThere) throw duplicateExists({ message: 'The user has this wallet already.' });
      if (count >= MAX_EXTERNAL_PER_USER) throw tooManyWallets();
      const [made] = await this.external.insert(environmentId, userId, [wallet], tx);
      this.credentials.add(environmentId, userId, [externalCredential(wallet)], tx);
      const drafts = [walletEvent(WALLET_LINKED, userId, made!)];
      await this.changes.tell(environmentId, { type: 'wallet', actor, drafts }, tx);
      return made!;
    });
  }
}
