import { Injectable } from '@nestjs/common';
import { invalidFields } from '../../common/http/validation.pipe.js';
import { CHAINS } from '../catalogue/chains.js';
import type { ChainToken } from './chain-token.dto.js';
import { TokenLists } from './token-lists.js';

/** The known tokens of a chain, one entry per token with all its contracts. */
@Injectable()
export class ChainTokens {
  constructor(private readonly lists: TokenLists) {}

  /** @throws validation_failed for a name that no chain has: it is not the same as a chain without tokens */
  async list(chain: string, networkId?: number): Promise<ChainToken[]> {
    if (!CHAINS.values.some((name) => name === chain)) {
      throw invalidFields([{ field: 'chainName', message: `chainName must be one of ${CHAINS.values.join(', ')}` }]);
    }
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
