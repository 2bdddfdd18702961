import { Injectable } from '@nestjs/common';
import type { ChainToken } from './chain-token.dto.js';
import { TokenLists } from './token-lists.js';

/** The known tokens of a chain, one entry per token with all its contracts. */
@Injectable()
export class ChainTokens {
  constructor(private readonly lists: TokenLists) {}

  async list(chain: string, networkId?: number): Promise<ChainToken[]> {
    const tokens = new Map<string, ChainToken>();
    for (const { name, symbol, networkId: network, address } of await this.lists.of(chain, networkId)) {
      const key = `${symbol}\n${name}`;
      let token = tokens.get(key);
      if (!token) tokens.set(key, (token = { name, symbol, tokenAddresses: [] }));
      token.tokenAddresses.push({ networkId: network, contractAddress: address });
    }
    return [...tokens.values()];
  }
}
