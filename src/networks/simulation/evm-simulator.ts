import { Injectable } from '@nestjs/common';
import { toHex, type Address, type Hex } from 'viem';
import type { EnvironmentId } from '../../auth/index.js';
import { bytesOf } from '../rpc/evm-answers.js';
import type { RpcReply } from '../rpc/json-rpc.js';
import { apartOf, RpcNetworks, type RpcNetwork } from '../rpc/rpc-networks.js';
import { RpcTransport } from '../rpc/rpc-transport.js';
import { SingleFlight } from '../sources/single-flight.js';
import { KEPT_MS, type Outcome } from './outcome.js';
import { simulatedOutcome, tracedOutcome } from './simulated-outcome.js';
import { simulationNotSupported } from './simulation.errors.js';

export interface EvmCall {
  from: Address;
  to: Address;
  value: bigint;
  data: Hex;
}

const NOT_A_METHOD = /not (?:found|supported|available|exist|implemented|enabled)|does not exist|unsupported/i;

/** Runs calls in sequence on a node, on top of its latest block. Nothing is sent. */
@Injectable()
export class EvmSimulator {
  private readonly flights = new SingleFlight<Outcome>();
  private readonly codeless = new SingleFlight<Address | undefined>();

  constructor(
    private readonly networks: RpcNetworks,
    private readonly transport: RpcTransport,
  ) {}

  /**
   * What the calls would do. The first that fails ends the simulation.
   *
   * @throws ChainUnreadableError, ApiError 422 `simulation_not_supported`
   */
  async run(environmentId: EnvironmentId, networkId: number, calls: readonly EvmCall[]): Promise<Outcome> {
    const network = apartOf(await this.networks.get(environmentId, { chain: 'EVM', networkId }), environmentId);
    const sent = calls.map(({ from, to, value, data }) => ({ from, to, value: toHex(value), data }));
    return this.flights.run(`${network.key} ${JSON.stringify(sent)}`, () => this.ask(network, sent), {
      keptMs: KEPT_MS,
    });
  }

  /** The first of the addresses that has no code. @throws ChainUnreadableError */
  async findCodeless(
    environmentId: EnvironmentId,
    networkId: number,
    addresses: readonly Address[],
  ): Promise<Address | undefined> {
    const network = apartOf(await this.networks.get(environmentId, { chain: 'EVM', networkId }), environmentId);
    const questions = addresses.map((address) => ({ method: 'eth_getCode', params: [address, 'latest'] }));
    const look = (): Promise<Address | undefined> =>
      this.transport.ask(network, questions, (replies) => addresses.find((_, at) => bytesOf(replies[at]) === '0x'));
    return this.codeless.run(`${network.key} ${addresses.join()}`, look, { keptMs: KEPT_MS });
  }

  private async ask(network: RpcNetwork, calls: readonly object[]): Promise<Outcome> {
    // `traceTransfers` adds logs for native transfers (https://github.com/ethereum/execution-apis, eth_simulateV1).
    const simulation = { blockStateCalls: [{ calls }], traceTransfers: true, validation: false };
    const question = { method: 'eth_simulateV1', params: [simulation, 'latest'] };
    const simulated = await this.transport.ask(network, [question], ([reply]) =>
      isUnknown(reply) ? null : simulatedOutcome(reply, calls.length),
    );
    if (simulated) return simulated;
    // Calls that depend on each other cannot be traced one by one.
    if (calls.length > 1) throw simulationNotSupported();
    const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true } };
    const tracing = { method: 'debug_traceCall', params: [calls[0], 'latest', tracer] };
    const traced = await this.transport.ask(network, [tracing], ([reply]) =>
      isUnknown(reply) ? null : tracedOutcome(reply),
    );
    if (!traced) throw simulationNotSupported();
    return traced;
  }
}

const isUnknown = (reply: RpcReply | undefined): boolean =>
  reply?.error?.code === -32601 || (reply?.error !== undefined && NOT_A_METHOD.test(reply.error.message));
