import type { AccountPlace, EmbeddedAccount } from '../../src/custody/index.js';

/** What the vendor's API offers. Its client sends with `OutboundHttp`, and gives up after a few seconds with a 503. */
export abstract class KeyVendor {
  /** Makes keys under a name of ours. */
  abstract makeKeys(name: string): Promise<void>;
  abstract accounts(name: string, places: readonly AccountPlace[]): Promise<EmbeddedAccount[]>;
  /** Destroys keys that nobody has used, as soon as it can. Never fails. */
  abstract dropUnused(name: string): void;
  /** Destroys keys. Resolves when there are none under this name, also if there were none before. */
  abstract destroy(name: string): Promise<void>;
}
