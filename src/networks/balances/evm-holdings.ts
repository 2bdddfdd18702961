import { Injectable } from '@nestjs/common';
import { encodeFunctionData, erc20Abi, getAddress, isAddress, size, slice, type Address } from 'viem';
import { ChainReader } from '../rpc/chain-reader.js';
import { TokenFactsReader, type TokenFacts } from '../tokens/token-facts.js';
import { TokenLists } from '../tokens/token-lists.js';
import { nativeHolding, type Holding, type HoldingsQuestion, type HoldingsReader } from './holding.js';

/** More than one or two multicalls could not show a single moment; longer lists need an indexer. */
const MOST_TOKENS = 500;

type Token = Omit<Holding, 'raw' | 'isNative'>;

/** Reads only the chain: the native currency and every listed token, in one multicall. */
@Injectable()
export class EvmHoldings implements HoldingsReader {
  constructor(
    private readonly chains: ChainReader,
    private readonly lists: TokenLists,
    private readonly facts: TokenFactsReader,
  ) {}

  async read({ environmentId, network, account, contracts, fresh }: HoldingsQuestion): Promise<Holding[]> {
    const { networkId } = network;
    const all = await this.lists.of('EVM', networkId);
    const asked = new Set(
      contracts.filter((text) => isAddress(text, { strict: false })).map((text) => getAddress(text)),
    );
    // Explicitly requested tokens come first, wherever they are in the list.
    const sought = asked.size === 0 ? [] : all.filter(({ address }) => asked.has(address as Address));
    const tokens = [...new Set([...sought, ...all])].slice(0, MOST_TOKENS);
    const listed = tokens.map((token) => ({ ...token, isListed: true }));
    const named = new Set(sought.map(({ address }) => address));
    const wanted = [...asked].filter((address) => !named.has(address));
    const facts =
      wanted.length > 0 ? await this.facts.read(environmentId, networkId, wanted) : new Map<string, TokenFacts>();
    const unlisted = [...facts].flatMap(([address, { name, symbol, decimals }]): Token[] =>
      decimals === null ? [] : [{ address, name, symbol, decimals, logoURI: '', isListed: false }],
    );
    const owner = account as Address;
    const [own, ...held] = await this.chains.multicall(
      environmentId,
      networkId,
      [{ balanceOf: owner }, ...listed.map((token) => balanceOf(token, owner))],
      { fresh },
    );
    const reads = unlisted.map((token) => balanceOf(token, owner));
    const others =
      reads.length === 0 ? [] : await this.chains.multicall(environmentId, networkId, reads, { fresh, apart: true });
    const values = [...held, ...others];
    return [
      nativeHolding(network, BigInt(own!.value!)),
      ...[...listed, ...unlisted].flatMap((token, at): Holding[] => {
        const value = values[at]?.value;
        // A contract that reverts or does not exist counts as no balance.
        if (!value || size(value) < 32) return [];
        return [{ ...token, raw: BigInt(slice(value, 0, 32)), isNative: false }];
      }),
    ];
  }
}

const balanceOf = ({ address }: Pick<Token, 'address'>, owner: Address) => ({
  to: address as Address,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
});
