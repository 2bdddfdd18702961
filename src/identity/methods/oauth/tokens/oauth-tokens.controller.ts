import { Get } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Environment,
  RecentlyProven,
  ScopedBy,
  type DashboardPrincipal,
  type EnvironmentId,
} from '../../../../auth/index.js';
import { ApiController, Operation, Returns } from '../../../../common/http/operation.js';
import { IdParam } from '../../../../common/http/params.js';
import { OauthAccountOwner } from './oauth-account-owner.js';
import { OAUTH_TOKEN_READ } from './oauth-token.events.js';
import { UserOauthAccessTokenResponse } from './oauth-tokens.dto.js';
import { OauthTokens } from './oauth-tokens.service.js';

@ApiController('oauthAccounts/:oauthAccountId', 'Users')
export class OauthTokensController {
  constructor(private readonly tokens: OauthTokens) {}

  @Get('accessToken')
  @Operation({
    id: 'getUserOauthAccessToken',
    noHead: true,
    summary: "Read the stored provider token of a user's OAuth account",
    description:
      'An expired token is first exchanged for a new one. Every read is recorded. Members need a proof from the last five minutes.',
    errors: [422],
    events: [OAUTH_TOKEN_READ.name],
  })
  @Dashboard({ scope: 'environment.users.read', role: 'admin' })
  @RecentlyProven('console:settings:update')
  @ScopedBy(OauthAccountOwner, 'oauthAccountId')
  @Returns(UserOauthAccessTokenResponse)
  getUserOauthAccessToken(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @IdParam('oauthAccountId') accountId: string,
  ) {
    return this.tokens.read(environmentId, accountId, caller);
  }
}
