import type { ProofCondition } from '../auth/index.js';

/** Another owner can take the organization over, so it is no smaller a step than handing the ownership on. */
export const MAKES_AN_OWNER: ProofCondition = {
  asks: (body) => (body as { role?: unknown } | null | undefined)?.role === 'owner',
  words: 'the role `owner`',
};
