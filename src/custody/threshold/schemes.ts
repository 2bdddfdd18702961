/** Signing thresholds: how many of how many participants. */
export const SHARE_SCHEMES = ['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const;

export type ShareScheme = (typeof SHARE_SCHEMES)[number];

/** With FROST the key is never reassembled; a split key (Shamir) is, on the user's device while it signs. */
export type ShareProtocol = 'FROST' | 'SHAMIR';

export interface SchemeParties {
  readonly min: number;
  readonly max: number;
  /** Participants 1 to `clients` are the user's; the others are the service's, which are always fewer than `min`. */
  readonly clients: number;
}

const PARTIES: Record<ShareScheme, SchemeParties> = {
  TWO_OF_TWO: { min: 2, max: 2, clients: 1 },
  TWO_OF_THREE: { min: 2, max: 3, clients: 2 },
  THREE_OF_FIVE: { min: 3, max: 5, clients: 3 },
};

export const partiesOf = (scheme: ShareScheme): SchemeParties => PARTIES[scheme];

/** The threshold and the number of participants, in the library's terms. */
export const signersOf = (scheme: ShareScheme): { min: number; max: number } => {
  const { min, max } = PARTIES[scheme];
  return { min, max };
};

/** Whether the user's shares alone suffice for a signature, and so for the whole key. */
export const userSignsAlone = (scheme: ShareScheme): boolean => PARTIES[scheme].clients >= PARTIES[scheme].min;

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

export const clientParties = (scheme: ShareScheme): number[] => range(1, PARTIES[scheme].clients);

export const serverParties = (scheme: ShareScheme): number[] => {
  const { clients, max } = PARTIES[scheme];
  return range(clients + 1, max);
};
