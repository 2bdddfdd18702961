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
    summary: 'Read the balances of up to five accounts of a user across networks',
    description: 'A network that cannot be read has a reason in place of its balances.',
    errors: [422],
    limits: ['60 calls per minute and client address'],
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
