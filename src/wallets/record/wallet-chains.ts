import { invalidFields } from '../../common/http/validation.pipe.js';
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

/**
 * The chains that the environment's settings enable for embedded wallets, as far as they can be made.
 * @throws ApiError validation_failed when they name chains and enable none of these
 */
export function defaultChains(configured: readonly { name: string; enabled: boolean }[] = []): EmbeddedChain[] {
  if (configured.length === 0) return [...FALLBACK];
  const enabled = inOrder(new Set(configured.filter((chain) => chain.enabled).map(({ name }) => name)));
  if (enabled.length > 0) return enabled;
  const message = 'chains is required: the settings of the environment enable no chain for embedded wallets';
  throw invalidFields([{ field: 'chains', message }]);
}

/** The requested chains that are missing, in the order in which every request inserts wallets. */
export const missingChains = (wanted: readonly EmbeddedChain[], present: readonly EmbeddedChain[]): EmbeddedChain[] =>
  inOrder(new Set<string>(wanted.filter((chain) => !present.includes(chain))));

/** A fixed order: requests that create wallets for one user wait for each other and never deadlock. */
const inOrder = (names: ReadonlySet<string>): EmbeddedChain[] => EMBEDDED_CHAINS.filter((chain) => names.has(chain));
