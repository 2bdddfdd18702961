import type { EnumValue } from '../common/fields/index.js';
import type { ThresholdChain } from '../custody/index.js';
import type { WAAS_CHAINS } from '../wallets/index.js';
import { schemeNotOffered } from './waas.errors.js';

type WaasChain = EnumValue<typeof WAAS_CHAINS>;

const CHAINS: Record<WaasChain, ThresholdChain | null> = { EVM: null, SVM: 'SOL', SUI: 'SUI', BTC: 'BTC', TON: 'TON' };
/** Chains for which the service can deal shares. */
const DEALT: readonly ThresholdChain[] = ['SOL', 'SUI', 'TON'];

/** A chain by its name in wallets. @throws ApiError threshold_chain_not_offered */
export function chainOfShares(chain: WaasChain): ThresholdChain {
  const known = CHAINS[chain];
  if (!known) throw schemeNotOffered({ payload: { chain } });
  return known;
}

/** The same for a key made and dealt by the service. @throws ApiError threshold_chain_not_offered */
export function chainOfDealtShares(chain: WaasChain): ThresholdChain {
  const known = chainOfShares(chain);
  if (!DEALT.includes(known)) throw schemeNotOffered({ payload: { chain } });
  return known;
}
