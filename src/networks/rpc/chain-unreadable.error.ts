/** Why nothing reliable is known about a chain right now. */
export type UnreadableReason =
  'timeout' | 'unreachable' | 'rate_limited' | 'oversize' | 'garbage' | 'wrong_chain' | 'unknown_network';

/**
 * The chain could not be read. Whoever decides by what a chain says must refuse then, never admit. The message names no
 * address of a node: those may carry keys.
 */
export class ChainUnreadableError extends Error {
  override readonly name = 'ChainUnreadableError';

  /** Whether the node is there and what was asked is to blame: strangers choose accounts, and some have too much to tell. */
  readonly isOfQuestion: boolean;

  constructor(
    readonly reason: UnreadableReason,
    message: string,
    { isOfQuestion = reason === 'oversize', ...options }: ErrorOptions & { isOfQuestion?: boolean } = {},
  ) {
    super(message, options);
    this.isOfQuestion = isOfQuestion;
  }
}

/** The chain was read, and the contract refused the call: an answer, not an outage. */
export class CallRevertedError extends Error {
  override readonly name = 'CallRevertedError';
  readonly code = 3;

  constructor(
    message: string,
    /** What the contract gave as its reason, ABI-encoded; `0x` where it gave none. */
    readonly data: `0x${string}`,
  ) {
    super(message);
  }
}
