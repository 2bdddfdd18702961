import type { CustodyVersion, EmbeddedChain, SigningKind } from '../../custody/index.js';
import { normalAddress } from '../policies/parse-policy-rule.js';
import type { PolicyRule } from '../policies/policy-rule.js';
import { invalidDelegation, notToSharedKeys } from './delegated-access.errors.js';
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

const MESSAGE = 'message';
const TYPED_DATA = 'typedData';
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
  if (kinds.every((kind) => kind === MESSAGE) && (chainIds || contracts)) {
    throw refused('messages have no network and no address');
  }
  if (kinds.includes(TYPED_DATA) && !contracts) throw refused('typed data is signed for named contracts alone');
  assertCapped(grant);
  return access;
}

/** Transactions have both caps, and nothing else has any. */
function assertCapped({ kinds, maxPerTransaction, maxPerDay }: DelegatedAccessGrant): void {
  const caps = [maxPerTransaction, maxPerDay].filter((cap) => cap !== undefined);
  if (kinds.every((kind) => kind === MESSAGE || kind === TYPED_DATA)) {
    if (caps.length > 0) throw refused('messages and typed data have no value that a cap could count');
  } else if (caps.length < 2) {
    throw refused('maxPerTransaction and maxPerDay are required with transactions');
  }
}

/** @throws ApiError no_delegated_access_to_shared_keys */
export function assertHeldByService({ version }: { readonly version: CustodyVersion }): void {
  if (version === 'V2' || version === 'V3') throw notToSharedKeys();
}

function addressOf(text: string, chain: EmbeddedChain): string {
  const address = normalAddress(chain, text);
  if (!address) throw refused('an address of grant.contracts is none of the chain');
  return address;
}

/**
 * The same as a rule of a signing policy, by which what is to be signed is judged from its bytes. Typed data says nothing
 * of an amount, so it is judged by its contract and network alone.
 */
export const ruleOf = (
  ruleId: string,
  { chain, kind }: { chain: EmbeddedChain; kind: SigningKind },
  access: DelegatedAccess,
): PolicyRule => ({
  ruleId,
  name: 'delegated access',
  ruleType: 'allow',
  chain,
  addresses: access.contracts,
  chainIds: access.chainIds,
  functions: null,
  primaryType: null,
  constraints: [],
  limit:
    kind === TYPED_DATA
      ? null
      : {
          asset: null,
          maxPerCall: BigInt(access.maxPerTransaction ?? 0),
          totalLimit: BigInt(access.maxPerDay ?? 0),
        },
  restrictions: null,
});
