import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { ThresholdKeys, type WalletOfShares } from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { namespaceOf, UserReader, type SdkUser } from '../../identity/index.js';
import { normalAddress, ThresholdWallets } from '../../wallets/index.js';
import type { WaasWalletResponse } from './shared-wallet.dto.js';

/** Versions whose keys are shared. */
const SHARED: readonly string[] = ['V2', 'V3'];

/** Chain names as used by the shared-key operations. */
const CHAIN_NAMES = { EVM: 'EVM', SOL: 'SVM', SUI: 'SUI', BTC: 'BTC', TON: 'TON' } as const satisfies Record<
  WalletOfShares['chain'],
  string
>;

/** The same chains by their names in credentials. */
const CHAINS = new Map(
  (Object.keys(CHAIN_NAMES) as WalletOfShares['chain'][]).map((name) => [namespaceOf(name), name]),
);

/** Reads wallets with shared keys. */
@Injectable()
export class SharedWalletsService {
  constructor(
    private readonly wallets: ThresholdWallets,
    private readonly keys: ThresholdKeys,
    private readonly users: UserReader,
  ) {}

  /** For any user of the environment, for its team. @throws ApiError not_found, threshold_wallet_only */
  async get(environmentId: EnvironmentId, walletId: string): Promise<WaasWalletResponse> {
    const wallet = await this.wallets.getOfAnyone(environmentId, walletId);
    const { scheme } = await this.keys.get(wallet);
    return {
      wallet: {
        accountAddress: wallet.address,
        chainName: CHAIN_NAMES[wallet.chain],
        walletId: wallet.walletId,
        thresholdSignatureScheme: scheme,
        derivationPath: '',
      },
    };
  }

  /** The user, with the credential of this one wallet only. @throws ApiError not_found */
  async userOf(environmentId: EnvironmentId, userId: string, address: string): Promise<SdkUser> {
    const user = await this.users.getSdk(environmentId, userId);
    const verifiedCredentials = user.verifiedCredentials.filter(
      (one) => isAt(one, address) && SHARED.includes(one.wallet_properties?.version ?? 'V1'),
    );
    if (verifiedCredentials.length === 0) throw notFound();
    return { ...user, verifiedCredentials };
  }
}

/** Whether it is the address of the credential, in any of the spellings that the chain has for it. */
function isAt({ address: own, chain: namespace }: SdkUser['verifiedCredentials'][number], address: string): boolean {
  const chain = CHAINS.get(namespace ?? '');
  return own !== undefined && chain !== undefined && normalAddress(chain, own) === normalAddress(chain, address);
}
