/** No source could say whether an address is sanctioned. */
export class ScreeningUnavailableError extends Error {
  override readonly name = 'ScreeningUnavailableError';

  constructor(readonly reason: 'timeout' | 'unreachable' | 'refused' | 'garbage') {
    super(`The source cannot be asked: ${reason}.`);
  }
}

/** A source's result for an address: whom it is listed as, or null when it is not listed. */
export type Listing = { about: string } | null;

/** A source of sanctioned addresses. */
export abstract class ScreeningSource {
  abstract readonly name: string;

  /** Whether the source is configured. */
  abstract isReady(): Promise<boolean>;

  /** In the order of `addresses`. @throws ScreeningUnavailableError */
  abstract listings(addresses: readonly string[]): Promise<Listing[]>;
}
