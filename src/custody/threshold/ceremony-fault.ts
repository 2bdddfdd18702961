/** A participant's message is not what the ceremony requires. The ceremony ends, and nothing of it can be reused. */
export class CeremonyFault extends Error {
  override readonly name = 'CeremonyFault';

  constructor(
    message: string,
    /** The participant at fault, if known. */
    readonly party: number | null = null,
  ) {
    super(message);
  }
}
