import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import type { AccountNetwork } from '../account-networks.js';
import { ChainReader } from '../rpc/chain-reader.js';
import { TokenFactsReader } from '../tokens/token-facts.js';
import { TokenLists } from '../tokens/token-lists.js';

export interface AssetName {
  name: string;
  symbol: string;
  decimals: number;
  logoUrl: string;
  /** Whether it comes from a token list, so that a price by ticker is valid for this token. */
  isListed: boolean;
}

/** Token names: from the token lists, else from the tokens themselves. */
@Injectable()
export class AssetNames {
  constructor(
    private readonly lists: TokenLists,
    private readonly facts: TokenFactsReader,
    private readonly chains: ChainReader,
  ) {}

  /** By address. @throws ChainUnreadableError */
  async of(
    environmentId: EnvironmentId,
    network: AccountNetwork,
    tokens: readonly string[],
  ): Promise<Map<string, AssetName>> {
    const { chain, networkId } = network;
    const wanted = new Set(tokens);
    const all = await this.lists.of(chain, networkId);
    const listed = new Map(all.filter(({ address }) => wanted.has(address)).map((token) => [token.address, token]));
    const names = new Map<string, AssetName>();
    for (const address of wanted) {
      const token = listed.get(address);
      if (!token) continue;
      const { name, symbol, decimals, logoURI } = token;
      names.set(address, { name, symbol, decimals, logoUrl: logoURI, isListed: true });
    }
    const others = [...wanted].filter((address) => !names.has(address));
    if (others.length === 0) return names;
    const unlisted = { logoUrl: '', isListed: false };
    if (network.family === 'evm') {
      const facts = await this.facts.read(environmentId, networkId, others);
      for (const [address, fact] of facts) names.set(address, { ...fact, ...unlisted, decimals: fact.decimals ?? 0 });
    } else {
      const mints = await this.chains.mints(environmentId, network, others);
      others.forEach((address, at) => {
        const decimals = mints[at]?.value?.decimals ?? 0;
        names.set(address, { name: '', symbol: '', decimals, ...unlisted });
      });
    }
    return names;
  }
}
