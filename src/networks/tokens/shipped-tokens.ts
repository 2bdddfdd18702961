import type { ListedToken } from './token-list.js';

type Kind = [symbol: string, name: string];
const USDC: Kind = ['USDC', 'USD Coin'];
const USDT: Kind = ['USDT', 'Tether USD'];
const WETH: Kind = ['WETH', 'Wrapped Ether'];
const DAI: Kind = ['DAI', 'Dai Stablecoin'];

type Row = [networkId: number, kind: Kind, decimals: number, address: string];

/** The most widely held tokens; operators supply longer lists with `TOKEN_LISTS`. */
const EVM: readonly Row[] = [
  [1, USDC, 6, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
  [1, USDT, 6, '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
  [1, DAI, 18, '0x6B175474E89094C44Da98b954EedeAC495271d0F'],
  [1, WETH, 18, '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'],
  [1, ['WBTC', 'Wrapped BTC'], 8, '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599'],
  [1, ['LINK', 'ChainLink Token'], 18, '0x514910771AF9Ca656af840dff83E8264EcF986CA'],
  [1, ['UNI', 'Uniswap'], 18, '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984'],
  [10, USDC, 6, '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'],
  [10, USDT, 6, '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58'],
  [10, WETH, 18, '0x4200000000000000000000000000000000000006'],
  [56, USDC, 18, '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d'],
  [56, USDT, 18, '0x55d398326f99059fF775485246999027B3197955'],
  [137, USDC, 6, '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'],
  [137, USDT, 6, '0xc2132D05D31c914a87C6611C10748AEb04B58e8F'],
  [137, WETH, 18, '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619'],
  [8453, USDC, 6, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  [8453, WETH, 18, '0x4200000000000000000000000000000000000006'],
  [42161, USDC, 6, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'],
  [42161, USDT, 6, '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'],
  [42161, WETH, 18, '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'],
  [43114, USDC, 6, '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'],
  [84532, USDC, 6, '0x036CbD53842c5426634e7929541eC2318f3dCF7e'],
  [11155111, USDC, 6, '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'],
];

const SOLANA: readonly Row[] = [
  [101, USDC, 6, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  [101, USDT, 6, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'],
  [101, ['SOL', 'Wrapped SOL'], 9, 'So11111111111111111111111111111111111111112'],
];

const of =
  (chain: ListedToken['chain']) =>
  ([networkId, [symbol, name], decimals, address]: Row): ListedToken => ({
    ...{ chain, networkId, address, name, symbol, decimals },
    logoURI: '',
  });

export const SHIPPED_TOKENS: readonly ListedToken[] = [...EVM.map(of('EVM')), ...SOLANA.map(of('SOL'))];
