import { Injectable } from '@nestjs/common';
import { ChainReader } from '../rpc/chain-reader.js';
import { TokenLists } from '../tokens/token-lists.js';
import { nativeHolding, type Holding, type HoldingsQuestion, type HoldingsReader } from './holding.js';

const MOST_UNLISTED = 100;

/** Lamports, and all token accounts of an owner, which the chain can list by itself. */
@Injectable()
export class SolanaHoldings implements HoldingsReader {
  constructor(
    private readonly chains: ChainReader,
    private readonly lists: TokenLists,
  ) {}

  async read({ environmentId, network, account, contracts, fresh }: HoldingsQuestion): Promise<Holding[]> {
    const [own, held, listed] = await Promise.all([
      this.chains.solBalances(environmentId, network, [account], { fresh }),
      this.chains.tokensOfOwner(environmentId, network, account, { fresh }),
      this.lists.of(network.chain, network.networkId),
    ]);
    const known = new Map(listed.map((token) => [token.address, token]));
    const asked = new Set(contracts);
    const unlisted = [...held.value.keys()]
      .filter((mint) => !known.has(mint))
      .sort((a, b) => Number(asked.has(b)) - Number(asked.has(a)))
      .slice(0, MOST_UNLISTED);
    const mints = await this.chains.mints(environmentId, network, unlisted);
    const decimals = new Map(unlisted.map((mint, at) => [mint, mints[at]?.value?.decimals ?? null]));
    const tokens = [...held.value].flatMap(([mint, raw]): Holding[] => {
      const token = known.get(mint);
      const places = token?.decimals ?? decimals.get(mint) ?? null;
      if (places === null) return [];
      // A mint has no name of its own.
      const { name = '', symbol = '', logoURI = '' } = token ?? {};
      return [{ address: mint, name, symbol, logoURI, decimals: places, raw, isNative: false, isListed: !!token }];
    });
    return [nativeHolding(network, own[0]!.value), ...tokens];
  }
}
