import { Get } from '@nestjs/common';
import { Caller, EndUser, Environment, type EndUserPrincipal, type EnvironmentId } from '../../../../auth/index.js';
import { ApiController, Operation, Returns } from '../../../../common/http/operation.js';
import { IdParam } from '../../../../common/http/params.js';
import { OAUTH_TOKEN_READ } from './oauth-token.events.js';
import { UserOauthAccessTokenResponse } from './oauth-tokens.dto.js';
import { OauthTokens } from './oauth-tokens.service.js';

@ApiController('sdk/:environmentId/oauthAccounts/:oauthAccountId', 'Sdk')
export class OwnOauthTokensController {
  constructor(private readonly tokens: OauthTokens) {}

  @Get('accessToken')
  @Operation({
    id: 'getEndUserOauthAccessToken',
    noHead: true,
    summary: 'Let a signed-in user read their own stored provider token',
    description: 'An expired token is first exchanged for a new one. Every read is recorded.',
    errors: [403, 422],
    events: [OAUTH_TOKEN_READ.name],
  })
  @EndUser()
  @Returns(UserOauthAccessTokenResponse)
  getEndUserOauthAccessToken(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('oauthAccountId') accountId: string,
  ) {
    return this.tokens.read(environmentId, accountId, caller, caller.userId);
  }
}
