/** An outcome is given to others who ask the same for so long: less than a block of most networks. */
export const KEPT_MS = 1_000;

/** A movement of an asset between two accounts. */
export interface Movement {
  /** Null for the currency of the network. */
  token: string | null;
  kind: 'NATIVE' | 'ERC20' | 'ERC721' | 'ERC1155' | 'SPL';
  from: string;
  to: string;
  amount: bigint;
  /** Of an NFT. */
  tokenId?: bigint;
}

/** What an account lets another take from it. */
export interface Approval {
  token: string;
  kind: Exclude<Movement['kind'], 'NATIVE'>;
  owner: string;
  spender: string;
  /** `all` for whole collections and for amounts that no balance reaches. */
  amount: bigint | 'all';
  tokenId?: bigint;
}

/** What would have happened. */
export interface Outcome {
  movements: Movement[];
  approvals: Approval[];
  /** Why it would have failed; null where it would not. */
  failure: string | null;
  /** The program that would own the account itself from then on, where that is another one than before. */
  givenTo?: string | undefined;
}
