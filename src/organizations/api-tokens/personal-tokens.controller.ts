import { Body, Delete, Get, Post } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  RATE_RULES,
  RateLimited,
  RecentlyProven,
  type DashboardUserPrincipal,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { TokensResponse, UserApiTokenCreateRequest, UserApiTokenCreateResponse } from './api-token.dto.js';
import { MAX_LIVE_TOKENS } from './api-token.errors.js';
import { PERSONAL_TOKEN_CREATED, PERSONAL_TOKEN_DELETED } from './api-token.events.js';
import { PersonalTokensService } from './personal-tokens.service.js';

@ApiController('user/tokens', 'UserApiTokens')
export class PersonalTokensController {
  constructor(private readonly tokens: PersonalTokensService) {}

  @Get()
  @Operation({
    id: 'getUserApiTokens',
    summary: "List the dashboard user's personal API tokens",
    description: 'Expired tokens are not listed.',
  })
  @Dashboard({ scope: null, role: 'viewer' })
  @Returns(TokensResponse)
  getUserApiTokens(@Caller() caller: DashboardUserPrincipal) {
    return this.tokens.list(caller.userId);
  }

  @Post()
  @Operation({
    id: 'createUserApiToken',
    idempotent: true,
    summary: 'Create a personal API token for the dashboard user and show it once',
    description:
      "Requires a proof from the last five minutes. Personal tokens cannot do anything that requires a proof: create tokens, reveal or replace secrets of webhooks, providers, single sign-on and settings, set which external issuer's tokens sign people in, apply a promotion, register a key for delegated access, add a custom hostname, export, read tokens of social accounts, transfer ownership, make someone an owner, change which second factors members need, or delete a project. If an organization requires a second factor, creating a token requires it, and the token itself is exempt.",
    errors: [422],
    events: [PERSONAL_TOKEN_CREATED.name],
    limits: [`${MAX_LIVE_TOKENS} active tokens per person`, 'A token expires after one year'],
  })
  @Dashboard({ scope: null, role: 'viewer' })
  @RecentlyProven('console:settings:update')
  @RateLimited(RATE_RULES.tokensMade)
  @Returns(UserApiTokenCreateResponse, { status: 201 })
  createUserApiToken(
    @Caller() caller: DashboardUserPrincipal,
    @Body() request: UserApiTokenCreateRequest,
    @CallWork() work: Work,
  ) {
    return this.tokens.create(caller, request, work);
  }

  @Delete(':tokenId')
  @Operation({
    id: 'deleteUserApiToken',
    summary: "Remove one of the dashboard user's personal API tokens",
    description: 'The token stops working within one second.',
    errors: [405],
    events: [PERSONAL_TOKEN_DELETED.name],
  })
  @Dashboard({ scope: null, role: 'viewer' })
  @ReturnsNothing()
  deleteUserApiToken(@Caller() caller: DashboardUserPrincipal, @IdParam('tokenId') tokenId: string) {
    return this.tokens.delete(caller, tokenId);
  }
}
