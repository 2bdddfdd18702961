/** Why nothing was planned or written; the message is for the operator. */
export class PromotionRefusedError extends Error {
  override readonly name = 'PromotionRefusedError';
}
