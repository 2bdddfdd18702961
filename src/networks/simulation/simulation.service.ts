import { Injectable } from '@nestjs/common';
import { getAddress, isAddress, isHex, type Address, type Hex } from 'viem';
import type { EnvironmentId } from '../../auth/index.js';
import { AccountNetworks } from '../account-networks.js';
import { asApiError } from '../chain-faults.js';
import { Rates } from '../rates/rates.js';
import { AssetNames } from './asset-names.js';
import { EvmSimulator, type EvmCall } from './evm-simulator.js';
import type { Outcome } from './outcome.js';
import { previewOf } from './preview.js';
import type {
  SimulateEVMTransactionRequest,
  SimulateSVMTransactionRequest,
  SimulateTransactionResponse,
  SimulateUserOpRequest,
} from './simulation.dto.js';
import { invalidTransaction } from './simulation.errors.js';
import { SolanaSimulator, solanaNetwork } from './solana-simulator.js';
import { joinedValidation, TransactionScanner } from './transaction-scanner.js';
import { callsOf } from './user-operation.js';

const QUANTITY = /^(0x[0-9a-f]{1,64}|\d{1,78})$/i;
const MOST_VALUE = 2n ** 256n;

/** Shows what transactions would do, by running them on nodes. */
@Injectable()
export class SimulationService {
  constructor(
    private readonly networks: AccountNetworks,
    private readonly evm: EvmSimulator,
    private readonly solana: SolanaSimulator,
    private readonly names: AssetNames,
    private readonly rates: Rates,
    private readonly scanner: TransactionScanner,
  ) {}

  async evmTransaction(
    environmentId: EnvironmentId,
    { chainId, data, from, to, value }: SimulateEVMTransactionRequest,
  ): Promise<SimulateTransactionResponse> {
    const sender = addressOf('from', from);
    const call = { from: sender, to: addressOf('to', to), value: quantityOf('value', value), data: dataOf(data) };
    return this.ofCalls(environmentId, chainId, sender, [call]);
  }

  async userOperation(
    environmentId: EnvironmentId,
    { chainId, operation, entryPoint }: SimulateUserOpRequest,
  ): Promise<SimulateTransactionResponse> {
    const { sender, calls, contracts, entryPoint: at } = callsOf(operation, entryPoint);
    const run = async (networkId: number): Promise<Outcome> => {
      const [outcome, codeless] = await Promise.all([
        this.evm.run(environmentId, networkId, calls),
        this.evm.findCodeless(environmentId, networkId, contracts),
      ]);
      const own = outcome.failedOperations?.find(
        (one) => getAddress(one.entryPoint) === at && getAddress(one.sender) === sender,
      );
      return { ...outcome, failure: outcome.failure ?? own?.reason ?? null, codeless };
    };
    return this.ofCalls(environmentId, chainId, sender, calls, run);
  }

  async solanaTransactions(
    environmentId: EnvironmentId,
    { chain, transactions, accountAddress }: SimulateSVMTransactionRequest,
  ): Promise<SimulateTransactionResponse> {
    const ref = solanaNetwork(chain);
    if (!ref) throw invalidTransaction({ payload: { field: 'chain' } });
    const run = this.solana.run(environmentId, ref, transactions, accountAddress);
    return this.shown(environmentId, ref, accountAddress, await asApiError(run));
  }

  private async ofCalls(
    environmentId: EnvironmentId,
    chainId: string,
    account: Address,
    calls: readonly EvmCall[],
    run = (networkId: number): Promise<Outcome> => this.evm.run(environmentId, networkId, calls),
  ): Promise<SimulateTransactionResponse> {
    const networkId = Number(quantityOf('chainId', chainId));
    const [outcome, verdict] = await Promise.all([asApiError(run(networkId)), this.scanner.judge(networkId, calls)]);
    const shown = await this.shown(environmentId, { chain: 'EVM', networkId }, account, outcome);
    return { ...shown, validation: joinedValidation(shown.validation, verdict) };
  }

  private async shown(
    environmentId: EnvironmentId,
    ref: { chain: string; networkId: number },
    account: string,
    outcome: Outcome,
  ): Promise<SimulateTransactionResponse> {
    const network = await this.networks.get(environmentId, ref);
    const tokens = [...outcome.movements, ...outcome.approvals].flatMap(({ token }) => (token === null ? [] : [token]));
    const [names, prices] = await Promise.all([
      asApiError(this.names.of(environmentId, network, tokens)),
      this.rates.dollars(),
    ]);
    return previewOf({ network, account, outcome, names, prices });
  }
}

function addressOf(field: string, text: string): Address {
  if (!isAddress(text, { strict: false })) throw invalidTransaction({ payload: { field } });
  return getAddress(text);
}

function quantityOf(field: string, text: string): bigint {
  const value = QUANTITY.test(text) ? BigInt(text) : MOST_VALUE;
  if (value >= MOST_VALUE) throw invalidTransaction({ payload: { field } });
  return value;
}

function dataOf(text: string): Hex {
  if (!isHex(text, { strict: true }) || text.length % 2 !== 0) throw invalidTransaction({ payload: { field: 'data' } });
  return text;
}
