import type { EmbeddedChain, SigningKind } from '../../custody/index.js';
import { normalAddress } from '../policies/parse-policy-rule.js';
import type { PolicyRule } from '../policies/policy-rule.js';
import { invalidDelegation } from './delegated-access.errors.js';
import type { DelegatedAccessGrant } from './delegated-access.dto.js';

/** What a user lets servers do with a wallet. */
export interface DelegatedAccess {
  readonly kinds: readonly SigningKind[];
  /** Networks of EVM; null for all that the environment has. */
  readonly chainIds: readonly number[] | null;
  /** The only addresses that may be called or sent to; null for any. */
  readonly contracts: readonly string[] | null;
  /** Of the chain's coin, in its smallest unit; null where messages alone are signed. */
  readonly maxPerTransaction: string | null;
  readonly maxPerDay: string | null;
}

export const MOST_DAYS = 30;
export const DAY_MS = 86_400_000;

const AMOUNT = /^\d{1,78}$/;
const MESSAGE = 'message';
const refused = (reason: string): Error => invalidDelegation({ payload: { reason } });

/** What of access that is not described: messages, for as long as access may be given. */
export const MESSAGES_ONLY: DelegatedAccess = {
  kinds: [MESSAGE],
  chainIds: null,
  contracts: null,
  maxPerTransaction: null,
  maxPerDay: null,
};

/**
 * Reads what a user gives. Whatever moves coins has two caps.
 *
 * @throws ApiError invalid_delegated_access
 */
export function readAccess(grant: DelegatedAccessGrant | undefined, chain: EmbeddedChain): DelegatedAccess {
  if (!grant) return MESSAGES_ONLY;
  const { kinds, chainIds, contracts, maxPerTransaction, maxPerDay } = grant;
  const access: DelegatedAccess = {
    kinds: [...new Set(kinds)],
    chainIds: chainIds ?? null,
    contracts: contracts ? contracts.map((text) => addressOf(text, chain)) : null,
    maxPerTransaction: maxPerTransaction ?? null,
    maxPerDay: maxPerDay ?? null,
  };
  if (kinds.length === 0) throw refused('grant.kinds is empty');
  if (chainIds?.length === 0 || contracts?.length === 0) throw refused('an empty list allows nothing: leave it out');
  if (chainIds && chain !== 'EVM') throw refused('only what is signed for EVM names its network');
  if (kinds.every((kind) => kind === MESSAGE)) {
    if (chainIds || contracts || maxPerTransaction !== undefined || maxPerDay !== undefined) {
      throw refused('messages have no network, no address and no value');
    }
    return access;
  }
  if (maxPerTransaction === undefined || maxPerDay === undefined) {
    throw refused('maxPerTransaction and maxPerDay are required with anything but messages');
  }
  if (!AMOUNT.test(maxPerTransaction) || !AMOUNT.test(maxPerDay)) throw refused('an amount is too large');
  return access;
}

function addressOf(text: string, chain: EmbeddedChain): string {
  const address = normalAddress(chain, text);
  if (!address) throw refused('an address of grant.contracts is none of the chain');
  return address;
}

/** The same as a rule of a signing policy, by which what is to be signed is judged from its bytes. */
export const ruleOf = (ruleId: string, chain: EmbeddedChain, access: DelegatedAccess): PolicyRule => ({
  ruleId,
  name: 'delegated access',
  ruleType: 'allow',
  chain,
  addresses: access.contracts,
  chainIds: access.chainIds,
  functions: null,
  primaryType: null,
  constraints: [],
  limit: {
    asset: null,
    maxPerCall: BigInt(access.maxPerTransaction ?? 0),
    totalLimit: BigInt(access.maxPerDay ?? 0),
  },
  restrictions: null,
});
