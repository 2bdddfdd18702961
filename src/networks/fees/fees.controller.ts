import { Body, Post } from '@nestjs/common';
import { EndUser, Environment, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { SolanaTransactionOptimizationRequest, SolanaTransactionOptimizationResponse } from './fee.dto.js';
import { FeesService } from './fees.service.js';

@ApiController('sdk/:environmentId/solana/optimizeTransaction', 'Sdk')
export class FeesController {
  constructor(private readonly fees: FeesService) {}

  @Post()
  @Operation({
    id: 'optimizeTransaction',
    summary: 'Add the usual priority fee to a Solana transaction',
    description:
      'For the first Solana network that the settings enable. Appends one instruction and changes nothing else. A transaction that already sets a compute unit price is returned unchanged.',
    errors: [403, 422, 503],
  })
  @EndUser()
  @Returns(SolanaTransactionOptimizationResponse)
  optimizeTransaction(
    @Environment() environmentId: EnvironmentId,
    @Body() request: SolanaTransactionOptimizationRequest,
  ) {
    return this.fees.optimize(environmentId, request);
  }
}
