import { Get } from '@nestjs/common';
import { EndUser, Environment, type EnvironmentId, ServiceTokens } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { DelegatedAccessEncryptionPublicKeyResponse } from './delegation-key.dto.js';
import { DelegationKeysService } from './delegation-keys.service.js';

@ApiController('sdk/:environmentId/waas/delegatedAccess', 'Sdk')
export class ClientDelegationKeysController {
  constructor(private readonly keys: DelegationKeysService) {}

  @Get('encryptionPublicKey')
  @Operation({
    id: 'getDelegatedAccessEncryptionPublicKey',
    summary: "Read the developer's active encryption key from the client side",
    description: '404 if there is none. Ask again before each use: `expiresAt` says when another key takes over.',
    errors: [403],
  })
  @EndUser()
  @ServiceTokens('wallets', 'mpc')
  @Returns(DelegatedAccessEncryptionPublicKeyResponse)
  getDelegatedAccessEncryptionPublicKey(@Environment() environmentId: EnvironmentId) {
    return this.keys.getActive(environmentId);
  }
}
