import { CHAINS, namespaceOf } from '../../identity/index.js';

/** Prefixes of wallet identifiers by chain name: `$3` of a statement with {@link GOES_WITH_WALLET}. */
export const NAMESPACES = JSON.stringify(Object.fromEntries(CHAINS.values.map((chain) => [chain, namespaceOf(chain)])));

/**
 * The identifiers that may claim the address of a row. A claim has the normal form, that of earlier versions the form
 * in which the row has it or that in lower case.
 */
function identifiersOf(row: string): string {
  const namespace = `coalesce($3::jsonb ->> ${row}.chain, ${row}.chain)`;
  return [`normal_address(${namespace}, ${row}.address)`, `${row}.address`, `lower(${row}.address)`]
    .map((address) => `concat(${namespace}, ':', ${address})`)
    .join(', ');
}

/**
 * Whether the claim `k` ends with the deleted external wallet `w`. A user may have an address twice, for instance
 * through an API call: the claim stays as long as one proven credential for it is left.
 */
export const GOES_WITH_WALLET = `k.kind = 'wallet' AND w.kind = 'external' AND k.identifier IN (${identifiersOf('w')})
     AND NOT EXISTS (SELECT FROM credentials o
       WHERE o.environment_id = $1 AND o.user_id = w.user_id AND o.format = 'blockchain' AND o.verified_at IS NOT NULL
         AND o.wallet_id IS DISTINCT FROM w.id AND o.wallet_properties IS NULL AND k.identifier IN (${identifiersOf('o')}))`;
