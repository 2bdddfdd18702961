import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { ThresholdWallets } from '../../wallets/index.js';
import type {
  CreateWaasAccountRequest,
  OpenedKeygen,
  OpenRoomResponse,
  SignMessageWithWaasRequest,
} from './ceremony.dto.js';
import { KeygenService } from './keygen.service.js';
import { SigningService } from './signing.service.js';
import { SplitKeygenService } from './split-keygen.service.js';
import { SplitSigningService } from './split-signing.service.js';

/** Opens the ceremony for a wallet's chain: FROST or the one for split keys. */
@Injectable()
export class OpeningsService {
  constructor(
    private readonly wallets: ThresholdWallets,
    private readonly keygen: KeygenService,
    private readonly signing: SigningService,
    private readonly splitKeygen: SplitKeygenService,
    private readonly splitSigning: SplitSigningService,
  ) {}

  /** @throws ApiError what `open` of the ceremonies refuses */
  createAccount(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    request: CreateWaasAccountRequest,
  ): Promise<OpenedKeygen> {
    return (request.chain === 'EVM' ? this.splitKeygen : this.keygen).open(environmentId, caller, request);
  }

  /** @throws ApiError not_found, threshold_wallet_only, wallet_not_claimed, what `open` of the ceremonies refuses */
  async sign(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    walletId: string,
    body: SignMessageWithWaasRequest,
  ): Promise<OpenRoomResponse> {
    const wallet = await this.wallets.getAny(environmentId, caller.userId, walletId);
    if (wallet.chain === 'EVM') return this.splitSigning.open(wallet, caller, body);
    return this.signing.open(wallet, caller, body);
  }
}
