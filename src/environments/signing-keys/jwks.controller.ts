import { Get, Header } from '@nestjs/common';
import { Environment, Public, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { uuidPathParam } from '../../common/http/params.js';
import { JwksResponse } from './jwks.dto.js';
import { SigningKeys } from './signing-keys.js';

/** Far below the day for which a key is published before it signs. */
const CACHE_CONTROL = 'public, max-age=300';

@ApiController('sdk/:environmentId/.well-known', 'Sdk')
export class JwksController {
  constructor(private readonly keys: SigningKeys) {}

  @Get('jwks')
  @uuidPathParam('environmentId')
  @Operation({ id: 'getJwksByEnvironmentId', summary: "Publish the environment's public signing keys", errors: [404] })
  @Public()
  @Header('Cache-Control', CACHE_CONTROL)
  @Returns(JwksResponse)
  getJwksByEnvironmentId(@Environment() environmentId: EnvironmentId) {
    return this.keys.jwks(environmentId);
  }

  @Get('jwks.json')
  @uuidPathParam('environmentId')
  @Operation({ id: 'getJwksJsonByEnvironmentId', summary: 'Same key set under a .json address', errors: [404] })
  @Public()
  @Header('Cache-Control', CACHE_CONTROL)
  @Returns(JwksResponse)
  getJwksJsonByEnvironmentId(@Environment() environmentId: EnvironmentId) {
    return this.keys.jwks(environmentId);
  }
}
