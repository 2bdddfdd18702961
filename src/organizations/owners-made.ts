import type { ProofCondition } from '../auth/index.js';

/** A new owner can take over the organization, so this needs the same proof as transferring ownership. */
export const MAKES_AN_OWNER: ProofCondition = {
  asks: (body) => (body as { role?: unknown } | null | undefined)?.role === 'owner',
  words: 'the role `owner`',
};
