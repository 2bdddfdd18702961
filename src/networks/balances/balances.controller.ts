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
import { chainOfName } from '../catalogue/client-chain-name.js';
import {
  AccountBalancesQuery,
  MultichainAccountBalanceResponse,
  MultichainAccountBalancesRequest,
  TokenBalance,
} from './balance.dto.js';
import { BalancesService } from './balances.service.js';

const LIMITS = ['60 calls per minute and client address'];

@ApiController('sdk/:environmentId', 'Sdk')
export class BalancesController {
  constructor(private readonly balances: BalancesService) {}

  @Get('chains/:chainName/balances')
  @ApiParam(CHAIN_NAME)
  @Operation({
    id: 'getAccountBalances',
    summary: 'Read the balances of an account on a chain',
    description:
      'Read from the chain itself, at most a minute old: the native currency and the tokens of the token lists. The call fails if a network cannot be read; the operation for several accounts marks that network instead. The chain may also be named as in getNetworksConfigurationByEnvId, such as `evm` or `solana`.',
    errors: [403, 422, 503],
    limits: [...LIMITS, '10 forced refreshes per minute and client address'],
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
    return this.balances.ofAccount(environmentId, chainOfName(chainName), query, client);
  }

  @Post('balances')
  @Operation({
    id: 'postMultichainAccountBalances',
    summary: 'Read the balances of up to five accounts across networks',
    description: 'A network that cannot be read has a reason in place of its balances.',
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
