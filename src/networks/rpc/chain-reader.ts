import type { Address, Hex, PublicClient } from 'viem';
import type { EnvironmentId } from '../../auth/index.js';

/** A network of an environment: `EVM` (or its other name `ETH`), `SOL` or `ECLIPSE`, with its number. */
export interface NetworkRef {
  chain: string;
  networkId: number;
}

/** One question to an EVM chain: a call, or the native balance of an account. */
export type EvmRead = { to: Address; data: Hex } | { balanceOf: Address };

/** An answer, with the block it is of and the time it was asked for. */
export interface Reading<T> {
  value: T;
  blockNumber: bigint;
  /** Milliseconds since the Unix epoch; at most 60 s ago. */
  readAt: number;
}

export interface ReadOptions {
  /** Default `latest`. */
  blockTag?: 'latest' | 'safe' | 'finalized';
  /** Asks the nodes even where an answer is remembered. */
  fresh?: boolean;
  /** For contracts that a stranger has chosen: what they do to a node counts for such questions alone. */
  apart?: boolean;
}

/** What an account holds of one mint, over all its token accounts of either token program. */
export interface TokenHolding {
  amount: bigint;
  accounts: number;
}

/** A mint of the Token or the Token-2022 program. */
export interface SolanaMint {
  supply: bigint;
  decimals: number;
}

/**
 * Reads chains, and nothing else: no method here can send a transaction. Answers are remembered for at most 60 s by
 * network, block tag and question, and the same question asked a hundred times at once leaves once.
 *
 * Every method throws {@link ChainUnreadableError} when no node gave a sound answer within 5 s.
 */
export abstract class ChainReader {
  /** @throws CallRevertedError when the contract refused */
  abstract call(
    environmentId: EnvironmentId,
    networkId: number,
    request: { to: Address; data: Hex; from?: Address },
    options?: ReadOptions,
  ): Promise<Hex>;

  /** The code at an address, `0x` where there is none. */
  abstract code(environmentId: EnvironmentId, networkId: number, address: Address): Promise<Hex>;

  /** Wei or lamports. */
  abstract balance(environmentId: EnvironmentId, network: NetworkRef, address: string): Promise<bigint>;

  /** The newest block, or slot; never remembered. */
  abstract blockNumber(environmentId: EnvironmentId, network: NetworkRef): Promise<bigint>;

  /** Many questions in one request, of one block. Null in the place of what a contract refused. */
  abstract multicall(
    environmentId: EnvironmentId,
    networkId: number,
    reads: readonly EvmRead[],
    options?: ReadOptions,
  ): Promise<Reading<Hex | null>[]>;

  /** Native balances by owner, on Solana. */
  abstract solBalances(
    environmentId: EnvironmentId,
    network: NetworkRef,
    owners: readonly string[],
    options?: ReadOptions,
  ): Promise<Reading<bigint>[]>;

  /** All that an owner holds, of either token program: amounts by mint, over all token accounts. */
  abstract tokensOfOwner(
    environmentId: EnvironmentId,
    network: NetworkRef,
    owner: string,
    options?: ReadOptions,
  ): Promise<Reading<ReadonlyMap<string, bigint>>>;

  /** What each owner holds of a mint, of the Token or the Token-2022 program. */
  abstract tokenHoldings(
    environmentId: EnvironmentId,
    network: NetworkRef,
    questions: readonly { owner: string; mint: string }[],
  ): Promise<Reading<TokenHolding>[]>;

  /** What blocks of the last minute asked for priority, in micro-lamports a unit, of who wrote to these accounts. */
  abstract priorityFees(
    environmentId: EnvironmentId,
    network: NetworkRef,
    accounts: readonly string[],
  ): Promise<Reading<readonly bigint[]>>;

  /** Mints; null in the place of an account that is not a mint. */
  abstract mints(
    environmentId: EnvironmentId,
    network: NetworkRef,
    addresses: readonly string[],
  ): Promise<Reading<SolanaMint | null>[]>;

  /** A client of viem that can do the reading methods alone, for what viem has built on them, such as ERC-6492. */
  abstract evmClient(environmentId: EnvironmentId, networkId: number): Promise<PublicClient>;
}
