import { CHAINS, namespaceOf } from '../../identity/index.js';

/** Prefixes of wallet identifiers by chain name: `$3` of a statement with {@link GOES_WITH_WALLET}. */
export const NAMESPACES = JSON.stringify(Object.fromEntries(CHAINS.values.map((chain) => [chain, namespaceOf(chain)])));

/** The identifier that claims the address of a row. */
const identifierOf = (row: string): string =>
  `concat(coalesce($3::jsonb ->> ${row}.chain, ${row}.chain), ':',
     CASE WHEN ${row}.chain IN ('EVM', 'ETH', 'eip155') THEN lower(${row}.address) ELSE ${row}.address END)`;

/**
 * Whether the claim `k` ends with the deleted external wallet `w`. A user may have an address twice, for instance
 * through an API call: the claim stays as long as one proven credential for it is left.
 */
export const GOES_WITH_WALLET = `k.kind = 'wallet' AND w.kind = 'external' AND k.identifier = ${identifierOf('w')}
     AND NOT EXISTS (SELECT FROM credentials o
       WHERE o.environment_id = $1 AND o.user_id = w.user_id AND o.format = 'blockchain' AND o.verified_at IS NOT NULL
         AND o.wallet_id IS DISTINCT FROM w.id AND o.wallet_properties IS NULL AND ${identifierOf('o')} = k.identifier)`;
