import { base58 } from '@scure/base';
import { getAddress, isAddress } from 'viem';
import { foreignText } from '../foreign-text.js';

/** A token from a list in the https://tokenlists.org format, with the chain that its address belongs to. */
export interface ListedToken {
  chain: 'EVM' | 'SOL';
  networkId: number;
  address: string;
  name: string;
  symbol: string;
  decimals: number;
  logoURI: string;
}

const MOST_TOKENS = 20_000;
const MAX_DECIMALS = 36;
/** Control, format and similar characters. */
const INVISIBLE = /\p{C}/u;

/**
 * The tokens of a list. Invalid entries are skipped; the form of the address shows whether the number is an EVM
 * network's or, as in Solana lists, 101 to 103.
 *
 * @throws Error if the text is not a token list
 */
export function parseTokenList(text: string): ListedToken[] {
  const { tokens } = JSON.parse(text) as { tokens?: unknown };
  if (!Array.isArray(tokens)) throw new Error('no token list: it has no tokens');
  return (tokens as unknown[]).slice(0, MOST_TOKENS).flatMap(tokenOf);
}

function tokenOf(entry: unknown): ListedToken[] {
  const { chainId, address, name, symbol, decimals, logoURI } = (entry ?? {}) as Record<string, unknown>;
  const place = typeof address === 'string' ? placeOf(address) : null;
  const isSound =
    Number.isSafeInteger(chainId) &&
    Number.isInteger(decimals) &&
    Number(decimals) >= 0 &&
    Number(decimals) <= MAX_DECIMALS;
  if (!place || !isSound || typeof name !== 'string' || typeof symbol !== 'string' || symbol === '') return [];
  // Without them, a name could pass for that of another token, and prices go by it.
  if (INVISIBLE.test(name) || INVISIBLE.test(symbol)) return [];
  return [
    {
      ...place,
      networkId: Number(chainId),
      name: foreignText(name, 100),
      symbol: foreignText(symbol, 40),
      decimals: Number(decimals),
      logoURI: typeof logoURI === 'string' && /^(https|ipfs):\/\//.test(logoURI) ? logoURI.slice(0, 2_048) : '',
    },
  ];
}

function placeOf(address: string): Pick<ListedToken, 'chain' | 'address'> | null {
  if (isAddress(address, { strict: false })) return { chain: 'EVM', address: getAddress(address) };
  return isSolanaAddress(address) ? { chain: 'SOL', address } : null;
}

/** 32 bytes in base58. */
export function isSolanaAddress(text: string): boolean {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return false;
  try {
    return base58.decode(text).length === 32;
  } catch {
    return false;
  }
}
