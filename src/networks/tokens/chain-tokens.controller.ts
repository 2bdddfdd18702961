import { Get, Param, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Dashboard } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { CHAIN_NAME } from '../catalogue/chains.js';
import { ChainToken, ChainTokensQuery } from './chain-token.dto.js';
import { ChainTokens } from './chain-tokens.service.js';

@ApiController('chains/:chainName/tokens', 'Chains')
export class ChainTokensController {
  constructor(private readonly tokens: ChainTokens) {}

  @Get()
  @ApiParam(CHAIN_NAME)
  @Operation({
    id: 'getAllTokensByChain',
    summary: 'List known tokens of a chain',
    description:
      'The tokens on the token lists of the deployment (`TOKEN_LISTS`, or a short built-in list), whose balances are looked up. Empty for a chain without listed tokens.',
  })
  @Dashboard({ scope: 'any', role: 'viewer' })
  @Returns(ChainToken, { list: true })
  getAllTokensByChain(@Param('chainName') chainName: string, @Query() { networkId }: ChainTokensQuery) {
    return this.tokens.list(chainName, networkId);
  }
}
