/** What a participant sent is not what the ceremony needs. The ceremony ends, and nothing of it can be used again. */
export class CeremonyFault extends Error {
  override readonly name = 'CeremonyFault';

  constructor(
    message: string,
    /** The participant whose doing it is, where that is known. */
    readonly party: number | null = null,
  ) {
    super(message);
  }
}
