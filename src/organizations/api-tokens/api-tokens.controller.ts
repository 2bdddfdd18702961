import { Body, Delete, Get, Post } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Environment,
  type DashboardPrincipal,
  type EnvironmentId,
  RATE_RULES,
  RateLimited,
  RecentlyProven,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { CreateTokenResponse, PostTokenFields, TokensResponse } from './api-token.dto.js';
import { MAX_LIVE_TOKENS } from './api-token.errors.js';
import { API_TOKEN_CREATED, API_TOKEN_DELETED } from './api-token.events.js';
import { ApiTokensService } from './api-tokens.service.js';
import { MAKER_ROLE } from './token-makers.js';

@ApiController('environments/:environmentId/tokens', 'Tokens')
export class ApiTokensController {
  constructor(private readonly tokens: ApiTokensService) {}

  @Get()
  @Operation({
    id: 'getTokens',
    summary: 'List environment API tokens without their secret part',
    description: 'Expired tokens are not listed.',
  })
  @Dashboard({ scope: 'environment.apiTokens.read', role: 'developer' })
  @Returns(TokensResponse)
  getTokens(@Environment() environmentId: EnvironmentId) {
    return this.tokens.list(environmentId);
  }

  @Post()
  @Operation({
    id: 'postToken',
    idempotent: true,
    summary: 'Create an environment API token and show it once',
    description:
      'Members need a proof from the last five minutes. A token can create other tokens only with scopes of its own. Whatever its scopes, a token can do no more than the role of its creator allows; demoting the creator restricts it, promoting the creator does not extend it.',
    errors: [422],
    events: [API_TOKEN_CREATED.name],
    limits: [
      `${MAX_LIVE_TOKENS} active tokens per environment`,
      'A token expires after one year, and no later than the token that created it',
    ],
  })
  @Dashboard({ scope: 'environment.apiTokens.write', role: MAKER_ROLE })
  @RecentlyProven('console:settings:update')
  @RateLimited(RATE_RULES.tokensMade)
  @Returns(CreateTokenResponse, { status: 201 })
  postToken(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: PostTokenFields,
    @CallWork() work: Work,
  ) {
    return this.tokens.create(environmentId, caller, request, work);
  }

  @Delete(':tokenId')
  @Operation({
    id: 'deleteTokenById',
    summary: 'Remove an environment API token',
    description: 'The token stops working within one second.',
    errors: [405],
    events: [API_TOKEN_DELETED.name],
  })
  @Dashboard({ scope: 'environment.apiTokens.write', role: 'developer' })
  @ReturnsNothing()
  deleteTokenById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('tokenId') tokenId: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.tokens.delete(environmentId, tokenId, caller);
  }
}
