import { Get, Query } from '@nestjs/common';
import { Caller, EndUser, Environment, type EndUserPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { EmbeddedWalletAuthToken, EmbeddedWalletAuthTokenQuery } from './wallet-access.dto.js';
import { WalletAccess } from './wallet-access.service.js';

@ApiController('sdk/:environmentId/users/embeddedWallets', 'Sdk')
export class OwnAccessController {
  constructor(private readonly access: WalletAccess) {}

  @Get('authToken')
  @Operation({
    id: 'getAuthToken',
    summary: 'Get a token for the embedded wallet service',
    description:
      'For a frame or program that handles wallets without holding the session. It is accepted by the operations that list `wallets` or `mpc` among `x-service-tokens`, for this user, for five minutes and no longer than the session, and by nothing else: not by operations that return tokens, and not by this one.',
    errors: [403, 422],
    sessionErrors: true,
  })
  @EndUser()
  @Returns(EmbeddedWalletAuthToken)
  getAuthToken(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Query() { type }: EmbeddedWalletAuthTokenQuery,
  ) {
    return this.access.tokenFor(environmentId, caller, type);
  }
}
