import { Body, Post } from '@nestjs/common';
import {
  Caller,
  EndUser,
  Environment,
  SecondFactorFor,
  type EndUserPrincipal,
  type EnvironmentId,
  ServiceTokens,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { SIGNATURES } from '../../custody/index.js';
import { SignedByEmbeddedWallet, SignWithEmbeddedWalletRequest } from './signing.dto.js';
import { WalletSigning } from './wallet-signing.service.js';

@ApiController('sdk/:environmentId/users/embeddedWallets', 'Sdk')
export class WalletSigningController {
  constructor(private readonly signing: WalletSigning) {}

  @Post(':walletId/sign')
  @Operation({
    id: 'signWithEmbeddedWallet',
    summary: 'Sign a message, a transaction, typed data or a PSBT',
    description:
      'The request is fully parsed first, as the kind that it is declared to be; bare digests are not signed. The network of a transaction or of typed data must be one of the environment’s. Every signature and every refused request is a row in the key ledger; calls beyond the limit, or for a wallet that is not claimed, leave none.',
    errors: [403, 422],
    limits: [`${SIGNATURES.limit} signatures per minute and user`],
  })
  @EndUser()
  @ServiceTokens('wallets')
  @SecondFactorFor('wallet.waas.sign')
  @Returns(SignedByEmbeddedWallet)
  signWithEmbeddedWallet(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
    @Body() request: SignWithEmbeddedWalletRequest,
  ) {
    return this.signing.sign(environmentId, caller, walletId, request);
  }
}
