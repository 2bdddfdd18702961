/** `outdated`: the plan is no longer current; `unknown`: an environment that is not in the organization. */
type Refusal = 'outdated' | 'unknown' | 'request';

/** Why nothing was planned or written; the message is for the operator. */
export class PromotionRefusedError extends Error {
  override readonly name = 'PromotionRefusedError';

  constructor(
    message: string,
    readonly refusal: Refusal = 'request',
  ) {
    super(message);
  }
}
