import { EMBEDDED_CHAINS, type EmbeddedChain } from '../../custody/index.js';

/** Used when neither the request nor the settings name a chain. */
const FALLBACK: readonly EmbeddedChain[] = ['EVM'];

/** The part of a request that names chains. */
export interface ChainChoice {
  readonly chains?: readonly EmbeddedChain[];
  readonly chain?: EmbeddedChain;
}

/** The chains a request names, each once; none if it leaves the choice to the settings. */
export const chosenChains = ({ chains = [], chain }: ChainChoice): EmbeddedChain[] =>
  inOrder(new Set<string>(chain ? [...chains, chain] : chains));

/** The chains that the environment's settings enable for embedded wallets, as far as they can be made. */
export function defaultChains(configured: readonly { name: string; enabled: boolean }[] = []): EmbeddedChain[] {
  const enabled = inOrder(new Set(configured.filter((chain) => chain.enabled).map(({ name }) => name)));
  return enabled.length > 0 ? enabled : [...FALLBACK];
}

/** The requested chains that are missing, in the order in which every request inserts wallets. */
export const missingChains = (wanted: readonly EmbeddedChain[], present: readonly EmbeddedChain[]): EmbeddedChain[] =>
  inOrder(new Set<string>(wanted.filter((chain) => !present.includes(chain))));

/** A fixed order: requests that create wallets for one user wait for each other and never deadlock. */
const inOrder = (names: ReadonlySet<string>): EmbeddedChain[] => EMBEDDED_CHAINS.filter((chain) => names.has(chain));
