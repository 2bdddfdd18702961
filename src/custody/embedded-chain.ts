/** Chains whose accounts are derived from a user's HD seed. */
export const EMBEDDED_CHAINS = ['EVM', 'SOL', 'SUI', 'BTC'] as const;

export type EmbeddedChain = (typeof EMBEDDED_CHAINS)[number];

/** Chains whose wallets sign. TON keys are always shared: none is derived from a seed. */
export type SigningChain = EmbeddedChain | 'TON';
