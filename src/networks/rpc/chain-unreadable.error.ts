/** Why a chain cannot be read reliably right now. */
export type UnreadableReason =
  'timeout' | 'unreachable' | 'rate_limited' | 'oversize' | 'garbage' | 'wrong_chain' | 'unknown_network';

/**
 * The chain could not be read. Code that decides by what a chain says must then refuse, never admit. The message
 * contains no node URL: those may include keys.
 */
export class ChainUnreadableError extends Error {
  override readonly name = 'ChainUnreadableError';

  /** Whether the question and not the node is to blame: strangers choose accounts, and some have too much data. */
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

/** The chain was read, and the contract reverted the call: an answer, not an outage. */
export class CallRevertedError extends Error {
  override readonly name = 'CallRevertedError';
  readonly code = 3;

  constructor(
    message: string,
    /** The contract's revert data, ABI-encoded; `0x` if it gave none. */
    readonly data: `0x${string}`,
  ) {
    super(message);
  }
}
