import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import {
  Client,
  EndUser,
  Environment,
  RATE_RULES,
  RateLimited,
  type ClientOrigin,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { CHAIN_NAME } from '../catalogue/chains.js';
import {
  AccountBalancesQuery,
  MultichainAccountBalanceResponse,
  MultichainAccountBalancesRequest,
  TokenBalance,
} from './balance.dto.js';
import { BalancesService } from './balances.service.js';

const LIMITS = ['60 calls a minute for each client address'];

@ApiController('sdk/:environmentId', 'Sdk')
export class BalancesController {
  constructor(private readonly balances: BalancesService) {}

  @Get('chains/:chainName/balances')
  @ApiParam(CHAIN_NAME)
  @Operation({
    id: 'getAccountBalances',
    summary: 'Read what an account holds on a chain',
    description:
      'Read from the chain itself, at most a minute old: the native currency and the tokens on the token lists. If the network cannot be read, the call fails; the operation for several accounts reports it instead.',
    errors: [403, 422, 503],
    limits: [...LIMITS, '10 forced refreshes a minute for each client address'],
  })
  @EndUser()
  @RateLimited(RATE_RULES.balances)
  @Returns(TokenBalance, { list: true })
  getAccountBalances(
    @Environment() environmentId: EnvironmentId,
    @Param('chainName') chainName: string,
    @Query() query: AccountBalancesQuery,
    @Client() client: ClientOrigin,
  ) {
    return this.balances.ofAccount(environmentId, chainName, query, client);
  }

  @Post('balances')
  @Operation({
    id: 'postMultichainAccountBalances',
    summary: 'Read what up to five accounts hold across networks',
    description: 'For a network that cannot be read, the response has the reason in place of balances.',
    errors: [403, 422],
    limits: LIMITS,
  })
  @EndUser()
  @RateLimited(RATE_RULES.balances)
  @Returns(MultichainAccountBalanceResponse)
  postMultichainAccountBalances(
    @Environment() environmentId: EnvironmentId,
    @Body() request: MultichainAccountBalancesRequest,
  ) {
    return this.balances.ofAccounts(environmentId, request);
  }
}
