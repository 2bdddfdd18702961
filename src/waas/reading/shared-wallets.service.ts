import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { ThresholdKeys } from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { UserReader, type SdkUser } from '../../identity/index.js';
import { ThresholdWallets } from '../../wallets/index.js';
import type { WaasWalletResponse } from './shared-wallet.dto.js';

/** Wallets with shared keys, as they are read. */
@Injectable()
export class SharedWalletsService {
  constructor(
    private readonly wallets: ThresholdWallets,
    private readonly keys: ThresholdKeys,
    private readonly users: UserReader,
  ) {}

  /** Of any user of the environment, for its team. @throws ApiError not_found, threshold_wallet_only */
  async get(environmentId: EnvironmentId, walletId: string): Promise<WaasWalletResponse> {
    const wallet = await this.wallets.getOfAnyone(environmentId, walletId);
    const { scheme } = await this.keys.get(wallet);
    return {
      wallet: {
        accountAddress: wallet.address,
        chainName: wallet.chain === 'SOL' ? 'SVM' : 'SUI',
        walletId: wallet.walletId,
        thresholdSignatureScheme: scheme,
        derivationPath: '',
      },
    };
  }

  /** The user with the credential of one such wallet and no other. @throws ApiError not_found */
  async userOf(environmentId: EnvironmentId, userId: string, address: string): Promise<SdkUser> {
    const user = await this.users.getSdk(environmentId, userId);
    const verifiedCredentials = user.verifiedCredentials.filter(
      (one) => one.address === address && one.wallet_properties?.version === 'V3',
    );
    if (verifiedCredentials.length === 0) throw notFound();
    return { ...user, verifiedCredentials };
  }
}
