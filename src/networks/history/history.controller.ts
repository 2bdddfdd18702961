import { Get, Param, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { EndUser, Environment, RATE_RULES, RateLimited, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { CHAIN_NAME } from '../catalogue/chains.js';
import { chainOfName } from '../catalogue/client-chain-name.js';
import { WalletTransactionsQuery, WalletTransactionsResponse } from './history.dto.js';
import { HistoryService } from './history.service.js';

@ApiController('sdk/:environmentId/chains/:chainName/transactions/:address', 'Sdk')
export class HistoryController {
  constructor(private readonly history: HistoryService) {}

  @Get()
  @ApiParam(CHAIN_NAME)
  @ApiParam({ name: 'address', schema: { type: 'string', minLength: 1, maxLength: 255 } })
  @Operation({
    id: 'getWalletTransactions',
    summary: 'List the transactions of an account on a network, newest first',
    description:
      'Solana: from its nodes, at most ten per page; transactions that the node no longer has are omitted. Bitcoin: from the Esplora API of its nodes. EVM networks: from the indexer that the deployment configures for them. The chain may also be named as in getNetworksConfigurationByEnvId, such as `evm` or `solana`.',
    errors: [403, 422, 503],
    limits: ['60 calls per minute and client address'],
  })
  @EndUser()
  @RateLimited(RATE_RULES.balances)
  @Returns(WalletTransactionsResponse)
  getWalletTransactions(
    @Environment() environmentId: EnvironmentId,
    @Param('chainName') chainName: string,
    @Param('address') address: string,
    @Query() query: WalletTransactionsQuery,
  ) {
    return this.history.list(environmentId, chainOfName(chainName), address, query);
  }
}
