/** How long an outcome is reused for the same question: less than the block time of most networks. */
export const KEPT_MS = 1_000;

/** A transfer of an asset between two accounts. */
export interface Movement {
  /** Null for the network's native currency. */
  token: string | null;
  kind: 'NATIVE' | 'ERC20' | 'ERC721' | 'ERC1155' | 'SPL';
  from: string;
  to: string;
  amount: bigint;
  /** For an NFT. */
  tokenId?: bigint;
}

/** Permission for another account to take an asset. */
export interface Approval {
  token: string;
  kind: Exclude<Movement['kind'], 'NATIVE'>;
  owner: string;
  spender: string;
  /** `all` for whole collections, and for amounts beyond any balance. */
  amount: bigint | 'all';
  tokenId?: bigint;
  /** The token account on Solana, where an owner may have several of one token, each with its own spender. */
  holder?: string;
}

/** A user operation that its entry point executed and that failed. */
export interface OperationFailure {
  entryPoint: string;
  sender: string;
  reason: string;
}

/** The result of a simulation. */
export interface Outcome {
  movements: Movement[];
  approvals: Approval[];
  /** Why it would fail; null if it would succeed. */
  failure: string | null;
  /** The program that would own the account itself afterwards, if that changes. */
  givenTo?: string | undefined;
  /** As events say, which any contract can log: whoever asks knows which entry point and sender are meant. */
  failedOperations?: OperationFailure[];
  /** An address that has no code, though only a contract there could do anything. */
  codeless?: string | undefined;
}
