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
      'The content is fully parsed first, as the given kind; a bare digest is not accepted. The network of a transaction or of typed data must be one of the environment. Every signature and every refusal of the content is recorded in the key ledger; calls over the limit, or for an unclaimed wallet, are not.',
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
