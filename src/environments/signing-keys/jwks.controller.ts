import { Get } from '@nestjs/common';
import { Environment, Public, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { JwksResponse } from './jwks.dto.js';
import { SigningKeys } from './signing-keys.js';

/** Far below the day between publishing a key and signing with it. */
const MAX_AGE_SECONDS = 300;

@ApiController('sdk/:environmentId/.well-known', 'Sdk')
export class JwksController {
  constructor(private readonly keys: SigningKeys) {}

  @Get('jwks')
  @Operation({ id: 'getJwksByEnvironmentId', summary: "Publish the environment's public signing keys" })
  @Public()
  @Returns(JwksResponse, { maxAgeSeconds: MAX_AGE_SECONDS })
  getJwksByEnvironmentId(@Environment() environmentId: EnvironmentId) {
    return this.keys.jwks(environmentId);
  }

  @Get('jwks.json')
  @Operation({ id: 'getJwksJsonByEnvironmentId', summary: 'The same key set under a .json address' })
  @Public()
  @Returns(JwksResponse, { maxAgeSeconds: MAX_AGE_SECONDS })
  getJwksJsonByEnvironmentId(@Environment() environmentId: EnvironmentId) {
    return this.keys.jwks(environmentId);
  }
}
