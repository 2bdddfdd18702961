import type { Address, Hex, PublicClient } from 'viem';
import type { EnvironmentId } from '../../auth/index.js';

/** A network of an environment: `EVM` (alias `ETH`), `SOL` or `ECLIPSE`, with its number. */
export interface NetworkRef {
  chain: string;
  networkId: number;
}

/** One question to an EVM chain: a call, or the native balance of an account. */
export type EvmRead = { to: Address; data: Hex } | { balanceOf: Address };

/** An answer, with its block and the time of the request. */
export interface Reading<T> {
  value: T;
  blockNumber: bigint;
  /** Milliseconds since the Unix epoch; at most 60 s ago. */
  readAt: number;
}

export interface ReadOptions {
  /** Default `latest`. */
  blockTag?: 'latest' | 'safe' | 'finalized';
  /** Asks the nodes even if an answer is cached. */
  fresh?: boolean;
  /** Asks them if the cached answer is as old as that, for callers who use it for a while; default and most 60 s. */
  maxAgeMs?: number;
  /** For contracts chosen by untrusted parties: the failures they cause at a node count only against such questions. */
  apart?: boolean;
}

/** What an account holds of one mint, across all its token accounts of both token programs. */
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
 * Reads chains, and nothing else: no method here can send a transaction. Answers are cached for at most 60 s by
 * network, block tag and question, and concurrent identical questions are sent once.
 *
 * Every method throws {@link ChainUnreadableError} if no node gave a valid answer within 5 s.
 */
export abstract class ChainReader {
  /** @throws CallRevertedError if the contract reverted */
  abstract call(
    environmentId: EnvironmentId,
    networkId: number,
    request: { to: Address; data: Hex; from?: Address },
    options?: ReadOptions,
  ): Promise<Hex>;

  /** The code at an address, `0x` if there is none. */
  abstract code(environmentId: EnvironmentId, networkId: number, address: Address): Promise<Hex>;

  /** Wei or lamports. */
  abstract balance(environmentId: EnvironmentId, network: NetworkRef, address: string): Promise<bigint>;

  /** The latest block or slot; never cached. */
  abstract blockNumber(environmentId: EnvironmentId, network: NetworkRef): Promise<bigint>;

  /** Many questions in one request, all of the same block. Null for each call that reverted. */
  abstract multicall(
    environmentId: EnvironmentId,
    networkId: number,
    reads: readonly EvmRead[],
    options?: ReadOptions,
  ): Promise<Reading<Hex | null>[]>;

  /** Solana native balances by owner. */
  abstract solBalances(
    environmentId: EnvironmentId,
    network: NetworkRef,
    owners: readonly string[],
    options?: ReadOptions,
  ): Promise<Reading<bigint>[]>;

  /** Everything an owner holds, of both token programs: amounts by mint, summed over all token accounts. */
  abstract tokensOfOwner(
    environmentId: EnvironmentId,
    network: NetworkRef,
    owner: string,
    options?: ReadOptions,
  ): Promise<Reading<ReadonlyMap<string, bigint>>>;

  /** What each owner holds of a mint of the Token or the Token-2022 program. */
  abstract tokenHoldings(
    environmentId: EnvironmentId,
    network: NetworkRef,
    questions: readonly { owner: string; mint: string }[],
    options?: ReadOptions,
  ): Promise<Reading<TokenHolding>[]>;

  /** Priority fees, in micro-lamports per compute unit, of the last minute's blocks that wrote to these accounts. */
  abstract priorityFees(
    environmentId: EnvironmentId,
    network: NetworkRef,
    accounts: readonly string[],
  ): Promise<Reading<readonly bigint[]>>;

  /** Mints; null for each account that is not a mint. */
  abstract mints(
    environmentId: EnvironmentId,
    network: NetworkRef,
    addresses: readonly string[],
    options?: ReadOptions,
  ): Promise<Reading<SolanaMint | null>[]>;

  /** A viem client restricted to read methods, for viem features built on them, such as ERC-6492. */
  abstract evmClient(environmentId: EnvironmentId, networkId: number): Promise<PublicClient>;
}
