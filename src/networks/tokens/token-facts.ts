import { Injectable } from '@nestjs/common';
import { decodeAbiParameters, getAddress, hexToString, isAddress, size, slice, type Address, type Hex } from 'viem';
import { leastRecent } from '../../common/least-recent.js';
import type { EnvironmentId } from '../../auth/index.js';
import { foreignText } from '../foreign-text.js';
import { ChainReader } from '../rpc/chain-reader.js';
import { RpcNetworks } from '../rpc/rpc-networks.js';

export interface TokenFacts {
  name: string;
  symbol: string;
  /** Null if the contract has none, as with ERC-721. */
  decimals: number | null;
}

const MAX_KNOWN = 5_000;
const MAX_AGE_MS = 3_600_000;
/** The selectors of ERC-20's name(), symbol() and decimals(). */
const SELECTORS = ['0x06fdde03', '0x95d89b41', '0x313ce567'] as const;

/** Metadata from the contracts themselves, for unlisted tokens. Anyone can deploy a contract that claims to be USDC. */
@Injectable()
export class TokenFactsReader {
  private readonly known = leastRecent<string, TokenFacts>(MAX_KNOWN, { ttl: MAX_AGE_MS });

  constructor(
    private readonly chains: ChainReader,
    private readonly networks: RpcNetworks,
  ) {}

  /** By EIP-55 address. One request for all of them. @throws ChainUnreadableError */
  async read(
    environmentId: EnvironmentId,
    networkId: number,
    addresses: readonly string[],
  ): Promise<Map<string, TokenFacts>> {
    const wanted = [
      ...new Set(addresses.filter((text) => isAddress(text, { strict: false })).map((text) => getAddress(text))),
    ];
    // An environment may later assign the same number to another chain.
    const { key } = await this.networks.get(environmentId, { chain: 'EVM', networkId });
    const keyOf = (address: Address) => `${environmentId} ${key} ${address}`;
    const found = new Map<string, TokenFacts>(
      wanted.flatMap((address) => {
        const facts = this.known.get(keyOf(address));
        return facts ? [[address, facts] as const] : [];
      }),
    );
    const missing = wanted.filter((address) => !found.has(address));
    const reads = missing.flatMap((to) => SELECTORS.map((data) => ({ to, data })));
    const answers =
      reads.length === 0 ? [] : await this.chains.multicall(environmentId, networkId, reads, { apart: true });
    missing.forEach((address, at) => {
      const [name, symbol, decimals] = answers.slice(at * 3, at * 3 + 3).map(({ value }) => value);
      const said = { name: textOf(name), symbol: textOf(symbol), decimals: decimalsOf(decimals) };
      const facts = { ...said, name: said.name || said.symbol };
      found.set(address, facts);
      // A contract without metadata may not be deployed yet.
      if (facts.name !== '' || facts.decimals !== null) this.known.set(keyOf(address), facts);
    });
    return new Map(wanted.map((address) => [address, found.get(address)!]));
  }
}

/** A string, or 32 bytes as in tokens older than the final ERC-20. Control characters are removed. */
function textOf(data: Hex | null | undefined): string {
  if (!data || size(data) < 32) return '';
  try {
    const text =
      size(data) === 32 ? hexToString(data, { size: 32 }) : decodeAbiParameters([{ type: 'string' }], data)[0];
    return foreignText(text, 100);
  } catch {
    return '';
  }
}

/** The type is `uint8`; whatever is left out here is missing from balances, and has wrong amounts in previews. */
function decimalsOf(data: Hex | null | undefined): number | null {
  if (!data || size(data) < 32) return null;
  const value = BigInt(slice(data, 0, 32));
  return value <= 255n ? Number(value) : null;
}
