import { Body, Post } from '@nestjs/common';
import { Environment, Public, RATE_RULES, RateLimited, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import {
  SimulateEVMTransactionRequest,
  SimulateSVMTransactionRequest,
  SimulateTransactionResponse,
  SimulateUserOpRequest,
} from './simulation.dto.js';
import { SimulationService } from './simulation.service.js';

const DESCRIBED = {
  description:
    "Executed by a node on top of the network's latest state; nothing is sent. A transaction that would fail has `validation.result` Error and the reason.",
  errors: [422, 503],
  limits: ['30 calls per minute and client address'],
} as const;

@ApiController('sdk/:environmentId', 'Sdk')
export class SimulationController {
  constructor(private readonly simulations: SimulationService) {}

  @Post('evm/simulateTransaction')
  @Operation({ id: 'simulateEVMTransaction', summary: 'Preview what an EVM transaction would do', ...DESCRIBED })
  @Public()
  @RateLimited(RATE_RULES.simulation)
  @Returns(SimulateTransactionResponse)
  simulateEVMTransaction(@Environment() environmentId: EnvironmentId, @Body() request: SimulateEVMTransactionRequest) {
    return this.simulations.evmTransaction(environmentId, request);
  }

  @Post('evm/simulateUserOp')
  @Operation({ id: 'simulateUserOp', summary: 'Preview what a user operation would do', ...DESCRIBED })
  @Public()
  @RateLimited(RATE_RULES.simulation)
  @Returns(SimulateTransactionResponse)
  simulateUserOp(@Environment() environmentId: EnvironmentId, @Body() request: SimulateUserOpRequest) {
    return this.simulations.userOperation(environmentId, request);
  }

  @Post('solana/simulateTransaction')
  @Operation({ id: 'simulateSVMTransaction', summary: 'Preview what Solana transactions would do', ...DESCRIBED })
  @Public()
  @RateLimited(RATE_RULES.simulation)
  @Returns(SimulateTransactionResponse)
  simulateSVMTransaction(@Environment() environmentId: EnvironmentId, @Body() request: SimulateSVMTransactionRequest) {
    return this.simulations.solanaTransactions(environmentId, request);
  }
}
