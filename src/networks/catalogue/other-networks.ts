import type { CatalogueNetwork } from './catalogue-network.js';

type Shared = Pick<CatalogueNetwork, 'chain' | 'currency'> & { namespace: string };
type Own = Omit<CatalogueNetwork, 'chain' | 'currency' | 'caip2' | 'chainId'> & { reference: string; chainId?: string };

const networksOf = ({ chain, currency, namespace }: Shared, networks: readonly Own[]): CatalogueNetwork[] =>
  networks.map(({ reference, chainId = reference, ...network }) => ({
    chain,
    caip2: `${namespace}:${reference}`,
    chainId,
    currency,
    ...network,
  }));

const SOL = { chain: 'SOL', namespace: 'solana', currency: { name: 'Solana', symbol: 'SOL', decimals: 9 } };
const BTC = { chain: 'BTC', namespace: 'bip122', currency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 } };
const SUI = { chain: 'SUI', namespace: 'sui', currency: { name: 'Sui', symbol: 'SUI', decimals: 9 } };
const FLOW = { chain: 'FLOW', namespace: 'flow', currency: { name: 'Flow', symbol: 'FLOW', decimals: 8 } };
const STARK = { chain: 'STARK', namespace: 'starknet', currency: { name: 'Starknet', symbol: 'STRK', decimals: 18 } };
const ALGO = { chain: 'ALGO', namespace: 'algorand', currency: { name: 'Algorand', symbol: 'ALGO', decimals: 6 } };
const COSMOS = {
  chain: 'COSMOS',
  namespace: 'cosmos',
  currency: { name: 'Atom', symbol: 'ATOM', decimals: 6, denom: 'uatom' },
};
const TRON = { chain: 'TRON', namespace: 'tron', currency: { name: 'Tronix', symbol: 'TRX', decimals: 6 } };
const APTOS = { chain: 'APTOS', namespace: 'aptos', currency: { name: 'Aptos', symbol: 'APT', decimals: 8 } };
const TON = { chain: 'TON', namespace: 'tvm', currency: { name: 'Toncoin', symbol: 'TON', decimals: 9 } };

const [main, test] = [{ isTestnet: false }, { isTestnet: true }];

/**
 * The references follow each namespace's CAIP-2 profile: the first 32 characters of the genesis hash if a chain has no
 * ids of its own. Networks of chains that do not number them are numbered here, 1 being the main one.
 */
export const OTHER_NETWORKS: readonly CatalogueNetwork[] = [
  ...networksOf(SOL, [
    {
      ...main,
      networkId: 101,
      reference: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      chainId: '101',
      name: 'Solana',
      shortName: 'solana',
      rpcUrl: 'https://api.mainnet-beta.solana.com',
      explorerUrl: 'https://explorer.solana.com',
      genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
      cluster: 'mainnet-beta',
    },
    {
      ...test,
      networkId: 102,
      reference: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
      chainId: '102',
      name: 'Solana Testnet',
      shortName: 'solana-testnet',
      rpcUrl: 'https://api.testnet.solana.com',
      explorerUrl: 'https://explorer.solana.com/?cluster=testnet',
      genesisHash: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
      cluster: 'testnet',
    },
    {
      ...test,
      networkId: 103,
      reference: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
      chainId: '103',
      name: 'Solana Devnet',
      shortName: 'solana-devnet',
      rpcUrl: 'https://api.devnet.solana.com',
      explorerUrl: 'https://explorer.solana.com/?cluster=devnet',
      genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
      cluster: 'devnet',
    },
  ]),
  ...networksOf(BTC, [
    {
      ...main,
      networkId: 1,
      reference: '000000000019d6689c085ae165831e93',
      name: 'Bitcoin',
      shortName: 'btc',
      rpcUrl: 'https://mempool.space/api',
      explorerUrl: 'https://mempool.space',
      genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
      bech32Prefix: 'bc',
    },
    {
      ...test,
      networkId: 2,
      reference: '000000000933ea01ad0ee984209779ba',
      name: 'Bitcoin Testnet',
      shortName: 'btc-testnet',
      rpcUrl: 'https://mempool.space/testnet/api',
      explorerUrl: 'https://mempool.space/testnet',
      genesisHash: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
      bech32Prefix: 'tb',
    },
  ]),
  ...networksOf(SUI, [
    {
      ...main,
      networkId: 1,
      reference: 'mainnet',
      name: 'Sui',
      shortName: 'sui',
      rpcUrl: 'https://fullnode.mainnet.sui.io',
      explorerUrl: 'https://suiscan.xyz/mainnet',
    },
    {
      ...test,
      networkId: 2,
      reference: 'testnet',
      name: 'Sui Testnet',
      shortName: 'sui-testnet',
      rpcUrl: 'https://fullnode.testnet.sui.io',
      explorerUrl: 'https://suiscan.xyz/testnet',
    },
    {
      ...test,
      networkId: 3,
      reference: 'devnet',
      name: 'Sui Devnet',
      shortName: 'sui-devnet',
      rpcUrl: 'https://fullnode.devnet.sui.io',
      explorerUrl: 'https://suiscan.xyz/devnet',
    },
  ]),
  ...networksOf(FLOW, [
    {
      ...main,
      networkId: 1,
      reference: 'mainnet',
      name: 'Flow',
      shortName: 'flow',
      rpcUrl: 'https://rest-mainnet.onflow.org',
      explorerUrl: 'https://flowscan.io',
    },
    {
      ...test,
      networkId: 2,
      reference: 'testnet',
      name: 'Flow Testnet',
      shortName: 'flow-testnet',
      rpcUrl: 'https://rest-testnet.onflow.org',
      explorerUrl: 'https://testnet.flowscan.io',
    },
  ]),
  ...networksOf(STARK, [
    {
      ...main,
      networkId: 1,
      reference: 'SN_MAIN',
      chainId: '0x534e5f4d41494e',
      name: 'Starknet',
      shortName: 'starknet',
      rpcUrl: 'https://starknet-rpc.publicnode.com',
      explorerUrl: 'https://starkscan.co',
    },
    {
      ...test,
      networkId: 2,
      reference: 'SN_SEPOLIA',
      chainId: '0x534e5f5345504f4c4941',
      name: 'Starknet Sepolia',
      shortName: 'starknet-sepolia',
      rpcUrl: 'https://starknet-sepolia-rpc.publicnode.com',
      explorerUrl: 'https://sepolia.starkscan.co',
    },
  ]),
  ...networksOf(ALGO, [
    {
      ...main,
      networkId: 1,
      reference: 'wGHE2Pwdvd7S12BL5FaOP20EGYesN73k',
      chainId: '416001',
      name: 'Algorand',
      shortName: 'algorand',
      rpcUrl: 'https://mainnet-api.algonode.cloud',
      explorerUrl: 'https://allo.info',
      genesisHash: 'wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=',
    },
    {
      ...test,
      networkId: 2,
      reference: 'SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe',
      chainId: '416002',
      name: 'Algorand Testnet',
      shortName: 'algorand-testnet',
      rpcUrl: 'https://testnet-api.algonode.cloud',
      explorerUrl: 'https://testnet.explorer.perawallet.app',
      genesisHash: 'SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=',
    },
  ]),
  ...networksOf(COSMOS, [
    {
      ...main,
      networkId: 1,
      reference: 'cosmoshub-4',
      name: 'Cosmos Hub',
      shortName: 'cosmoshub',
      rpcUrl: 'https://cosmos-rpc.publicnode.com',
      lcdUrl: 'https://cosmos-rest.publicnode.com',
      explorerUrl: 'https://www.mintscan.io/cosmos',
      bech32Prefix: 'cosmos',
    },
  ]),
  ...networksOf(TRON, [
    {
      ...main,
      networkId: 1,
      reference: '0x2b6653dc',
      name: 'TRON',
      shortName: 'tron',
      rpcUrl: 'https://api.trongrid.io',
      explorerUrl: 'https://tronscan.org',
    },
    {
      ...test,
      networkId: 2,
      reference: '0xcd8690dc',
      name: 'TRON Nile',
      shortName: 'tron-nile',
      rpcUrl: 'https://nile.trongrid.io',
      explorerUrl: 'https://nile.tronscan.org',
    },
  ]),
  ...networksOf(APTOS, [
    {
      ...main,
      networkId: 1,
      reference: '1',
      name: 'Aptos',
      shortName: 'aptos',
      rpcUrl: 'https://fullnode.mainnet.aptoslabs.com/v1',
      explorerUrl: 'https://explorer.aptoslabs.com/?network=mainnet',
    },
    {
      ...test,
      networkId: 2,
      reference: '2',
      name: 'Aptos Testnet',
      shortName: 'aptos-testnet',
      rpcUrl: 'https://fullnode.testnet.aptoslabs.com/v1',
      explorerUrl: 'https://explorer.aptoslabs.com/?network=testnet',
    },
  ]),
  ...networksOf(TON, [
    {
      ...main,
      networkId: 1,
      reference: '-239',
      name: 'TON',
      shortName: 'ton',
      rpcUrl: 'https://toncenter.com/api/v2/jsonRPC',
      explorerUrl: 'https://tonviewer.com',
    },
    {
      ...test,
      networkId: 2,
      reference: '-3',
      name: 'TON Testnet',
      shortName: 'ton-testnet',
      rpcUrl: 'https://testnet.toncenter.com/api/v2/jsonRPC',
      explorerUrl: 'https://testnet.tonviewer.com',
    },
  ]),
];
