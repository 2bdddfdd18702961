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
  /** Null where the contract has none, such as one of ERC-721. */
  decimals: number | null;
}

const MAX_KNOWN = 5_000;
const MAX_AGE_MS = 3_600_000;
/** name(), symbol(), decimals() of ERC-20. */
const SELECTORS = ['0x06fdde03', '0x95d89b41', '0x313ce567'] as const;

/** What contracts say of themselves, for tokens that no list has. Anybody can deploy a contract that says it is USDC. */
@Injectable()
export class TokenFactsReader {
  private readonly known = leastRecent<string, TokenFacts>(MAX_KNOWN, { ttl: MAX_AGE_MS });

  constructor(
    private readonly chains: ChainReader,
    private readonly networks: RpcNetworks,
  ) {}

  /** By address, in the form of EIP-55. One request for all of them. @throws ChainUnreadableError */
  async read(
    environmentId: EnvironmentId,
    networkId: number,
    addresses: readonly string[],
  ): Promise<Map<string, TokenFacts>> {
    const wanted = [
      ...new Set(addresses.filter((text) => isAddress(text, { strict: false })).map((text) => getAddress(text))),
    ];
    // An environment may come to name another chain by the same number.
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
      // What says nothing may not be there yet.
      if (facts.name !== '' || facts.decimals !== null) this.known.set(keyOf(address), facts);
    });
    return new Map(wanted.map((address) => [address, found.get(address)!]));
  }
}

/** A string, or 32 bytes as in tokens older than ERC-20's last form. Control characters are left out. */
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

function decimalsOf(data: Hex | null | undefined): number | null {
  if (!data || size(data) < 32) return null;
  const value = BigInt(slice(data, 0, 32));
  return value <= 36n ? Number(value) : null;
}
