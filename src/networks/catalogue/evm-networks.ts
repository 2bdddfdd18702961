import type { CatalogueNetwork } from './catalogue-network.js';

type Row = [number: number, name: string, shortName: string, symbol: string, rpcUrl: string, explorerUrl: string];

const CURRENCIES: Readonly<Record<string, string>> = {
  ETH: 'Ether',
  POL: 'POL',
  BNB: 'BNB',
  tBNB: 'BNB',
  AVAX: 'Avalanche',
  XDAI: 'xDAI',
  CELO: 'CELO',
  MNT: 'MNT',
};

/** EIP-155 chain ids with the endpoints from the networks' own documentation. */
const MAIN: readonly Row[] = [
  [1, 'Ethereum', 'eth', 'ETH', 'https://ethereum-rpc.publicnode.com', 'https://etherscan.io'],
  [10, 'OP Mainnet', 'oeth', 'ETH', 'https://mainnet.optimism.io', 'https://optimistic.etherscan.io'],
  [56, 'BNB Smart Chain', 'bnb', 'BNB', 'https://bsc-dataseed.bnbchain.org', 'https://bscscan.com'],
  [100, 'Gnosis', 'gno', 'XDAI', 'https://rpc.gnosischain.com', 'https://gnosisscan.io'],
  [130, 'Unichain', 'unichain', 'ETH', 'https://mainnet.unichain.org', 'https://uniscan.xyz'],
  [137, 'Polygon', 'pol', 'POL', 'https://polygon-rpc.com', 'https://polygonscan.com'],
  [324, 'ZKsync Era', 'zksync', 'ETH', 'https://mainnet.era.zksync.io', 'https://explorer.zksync.io'],
  [5000, 'Mantle', 'mantle', 'MNT', 'https://rpc.mantle.xyz', 'https://mantlescan.xyz'],
  [8453, 'Base', 'base', 'ETH', 'https://mainnet.base.org', 'https://basescan.org'],
  [42161, 'Arbitrum One', 'arb1', 'ETH', 'https://arb1.arbitrum.io/rpc', 'https://arbiscan.io'],
  [42220, 'Celo', 'celo', 'CELO', 'https://forno.celo.org', 'https://celoscan.io'],
  [43114, 'Avalanche', 'avax', 'AVAX', 'https://api.avax.network/ext/bc/C/rpc', 'https://snowtrace.io'],
  [59144, 'Linea Mainnet', 'linea', 'ETH', 'https://rpc.linea.build', 'https://lineascan.build'],
  [81457, 'Blast', 'blast', 'ETH', 'https://rpc.blast.io', 'https://blastscan.io'],
  [534352, 'Scroll', 'scr', 'ETH', 'https://rpc.scroll.io', 'https://scrollscan.com'],
];

const TEST: readonly Row[] = [
  [
    97,
    'BNB Smart Chain Testnet',
    'bnbt',
    'tBNB',
    'https://bsc-testnet-rpc.publicnode.com',
    'https://testnet.bscscan.com',
  ],
  [
    300,
    'ZKsync Sepolia Testnet',
    'zksync-sepolia',
    'ETH',
    'https://sepolia.era.zksync.dev',
    'https://sepolia.explorer.zksync.io',
  ],
  [
    43113,
    'Avalanche Fuji',
    'fuji',
    'AVAX',
    'https://api.avax-test.network/ext/bc/C/rpc',
    'https://testnet.snowtrace.io',
  ],
  [
    59141,
    'Linea Sepolia Testnet',
    'linea-sepolia',
    'ETH',
    'https://rpc.sepolia.linea.build',
    'https://sepolia.lineascan.build',
  ],
  [80002, 'Polygon Amoy', 'polygonamoy', 'POL', 'https://rpc-amoy.polygon.technology', 'https://amoy.polygonscan.com'],
  [84532, 'Base Sepolia', 'basesep', 'ETH', 'https://sepolia.base.org', 'https://sepolia.basescan.org'],
  [
    421614,
    'Arbitrum Sepolia',
    'arb-sep',
    'ETH',
    'https://sepolia-rollup.arbitrum.io/rpc',
    'https://sepolia.arbiscan.io',
  ],
  [534351, 'Scroll Sepolia', 'scr-sepolia', 'ETH', 'https://sepolia-rpc.scroll.io', 'https://sepolia.scrollscan.com'],
  [560048, 'Hoodi', 'hoe', 'ETH', 'https://rpc.hoodi.ethpandaops.io', 'https://hoodi.etherscan.io'],
  [11155111, 'Sepolia', 'sep', 'ETH', 'https://ethereum-sepolia-rpc.publicnode.com', 'https://sepolia.etherscan.io'],
  [11155420, 'OP Sepolia', 'opsep', 'ETH', 'https://sepolia.optimism.io', 'https://optimism-sepolia.blockscout.com'],
];

/** https://docs.ens.domains/learn/deployments: the same on Ethereum and its testnets. */
export const ENS_REGISTRY = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e';
const WITH_ENS: readonly number[] = [1, 11155111];

const networkOf =
  (isTestnet: boolean) =>
  ([number, name, shortName, symbol, rpcUrl, explorerUrl]: Row): CatalogueNetwork => ({
    chain: 'EVM',
    networkId: number,
    caip2: `eip155:${number}`,
    chainId: String(number),
    name,
    shortName,
    isTestnet,
    currency: { name: CURRENCIES[symbol] ?? symbol, symbol, decimals: 18 },
    rpcUrl,
    explorerUrl,
    ...(WITH_ENS.includes(number) && { nameService: { registry: ENS_REGISTRY } }),
  });

export const EVM_NETWORKS: readonly CatalogueNetwork[] = [...MAIN.map(networkOf(false)), ...TEST.map(networkOf(true))];
