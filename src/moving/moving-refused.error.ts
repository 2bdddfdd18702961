/** An export or import that was refused; the message is for the operator. */
export class MovingRefusedError extends Error {
  override readonly name = 'MovingRefusedError';
}
