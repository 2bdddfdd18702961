import type { AccountPlace, EmbeddedAccount } from '../../src/custody/index.js';

/** The vendor's API. Its client sends with `OutboundHttp` and times out after a few seconds with a 503. */
export abstract class KeyVendor {
  /** Creates keys under a name that we choose. */
  abstract makeKeys(name: string): Promise<void>;
  abstract accounts(name: string, places: readonly AccountPlace[]): Promise<EmbeddedAccount[]>;
  /** Destroys unused keys as soon as it can. Never fails. */
  abstract dropUnused(name: string): void;
  /** Destroys keys. Resolves when there are none under this name, also if there never were any. */
  abstract destroy(name: string): Promise<void>;
}
