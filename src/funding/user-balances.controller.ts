import { Body, Post } from '@nestjs/common';
import { Dashboard, Environment, RATE_RULES, RateLimited, type EnvironmentId } from '../auth/index.js';
import { ApiController, Operation, Returns } from '../common/http/operation.js';
import { IdParam } from '../common/http/params.js';
import { MultichainAccountBalanceResponse, MultichainAccountBalancesRequest } from '../networks/index.js';
import { UserBalances } from './user-balances.js';

@ApiController('environments/:environmentId/users/:userId/balances', 'Sdk')
export class UserBalancesController {
  constructor(private readonly balances: UserBalances) {}

  @Post()
  @Operation({
    id: 'getUserAccountBalances',
    summary: 'Read what up to five accounts of a user hold across networks',
    description: 'For a network that cannot be read, the response has the reason in place of balances.',
    errors: [422],
    limits: ['60 calls a minute for each client address'],
  })
  @Dashboard({ scope: 'environment.balances.read', role: 'viewer' })
  @RateLimited(RATE_RULES.balances)
  @Returns(MultichainAccountBalanceResponse)
  getUserAccountBalances(
    @Environment() environmentId: EnvironmentId,
    @IdParam('userId') userId: string,
    @Body() request: MultichainAccountBalancesRequest,
  ) {
    return this.balances.read(environmentId, userId, request);
  }
}
