import { Get } from '@nestjs/common';
import { Dashboard, Environment, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { KeyResponse } from './key.dto.js';
import { SigningKeys } from './signing-keys.js';

@ApiController('environments/:environmentId/keys', 'Environments')
export class KeysController {
  constructor(private readonly keys: SigningKeys) {}

  @Get()
  @Operation({
    id: 'getKeysForEnvironment',
    summary: "Read the environment's public key",
    description: 'The current signing key. To verify tokens, use the key set instead: it also contains the next key.',
  })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(KeyResponse)
  getKeysForEnvironment(@Environment() environmentId: EnvironmentId) {
    return this.keys.currentPublicKey(environmentId);
  }
}
