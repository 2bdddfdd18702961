/** Chains whose accounts are derived from a user's HD seed. */
export const EMBEDDED_CHAINS = ['EVM', 'SOL', 'SUI', 'BTC'] as const;

export type EmbeddedChain = (typeof EMBEDDED_CHAINS)[number];
