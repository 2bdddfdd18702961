import { Post } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { SERVER_TOKEN_SECONDS, ServerTokens } from './server-tokens.js';
import { WaasAuthenticateResponse, WaasVerifyApiKeyResponse } from './wallet-access.dto.js';

@ApiController('environments/:environmentId/waas', 'Waas')
export class ServerAccessController {
  constructor(private readonly tokens: ServerTokens) {}

  @Post('authenticate')
  @Operation({
    id: 'authenticateWaas',
    summary: 'Exchange an API token for a wallet-service JWT',
    description: `The JWT is a bearer token for the server operations that list \`waas\` among \`x-service-tokens\`, valid for ${SERVER_TOKEN_SECONDS} seconds. It has the rights that the API token has at the time of each call, and ends with that token.`,
    errors: [422],
  })
  @Dashboard({ scope: 'waas.authenticate', role: 'developer' })
  @Returns(WaasAuthenticateResponse)
  authenticateWaas(@Environment() environmentId: EnvironmentId, @Caller() caller: DashboardPrincipal) {
    return this.tokens.exchange(environmentId, caller);
  }

  @Post('verifyApiKey')
  @Operation({
    id: 'verifyApiKey',
    summary: 'Check whether the API token is valid for this environment',
    errors: [400, 403],
    saysVerified: true,
  })
  @Dashboard({ scope: 'any', role: 'viewer' })
  @Returns(WaasVerifyApiKeyResponse)
  verifyApiKey(@Environment() environmentId: EnvironmentId, @Caller() caller: DashboardPrincipal) {
    return this.tokens.verify(environmentId, caller);
  }
}
