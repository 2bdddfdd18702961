import { KeyVault, type NewDataKey, type WrappedKey } from './key-vault.js';
import type { SealContext } from './seal-context.js';
import type { SecretBytes } from './secret-bytes.js';
import { SealedBlobError } from './vault.errors.js';

/**
 * A vault and its predecessors: new data keys are wrapped by the first, and those wrapped by the others can be unwrapped
 * until they are rewrapped. Used to move secrets from the local ring to a remote vault, and back.
 */
export class KeyVaultSuccession extends KeyVault {
  constructor(
    private readonly current: KeyVault,
    private readonly former: readonly KeyVault[],
  ) {
    super();
  }

  get currentKeyId(): string {
    return this.current.currentKeyId;
  }

  override newDataKey(context: SealContext): Promise<NewDataKey> {
    return this.current.newDataKey(context);
  }

  wrap(dataKey: SecretBytes, context: SealContext): Promise<WrappedKey> {
    return this.current.wrap(dataKey, context);
  }

  unwrap(wrapped: WrappedKey, context: SealContext): Promise<SecretBytes> {
    return firstThatKnows([this.current, ...this.former], (vault) => vault.unwrap(wrapped, context));
  }

  /** Between two vaults, the data key passes through this process. */
  rewrap(wrapped: WrappedKey, context: SealContext): Promise<WrappedKey> {
    return firstThatKnows([this.current, ...this.former], async (vault) => {
      if (vault === this.current) return vault.rewrap(wrapped, context);
      const dataKey = await vault.unwrap(wrapped, context);
      return this.current.wrap(dataKey, context).finally(() => dataKey.wipe());
    });
  }

  async retireOlderKeys(): Promise<string> {
    return `${await this.current.retireOlderKeys()} KEY_VAULT may name its first entry alone.`;
  }

  override async health(): Promise<void> {
    for (const vault of [this.current, ...this.former]) await vault.health();
  }

  override async close(): Promise<void> {
    for (const vault of [this.current, ...this.former]) await vault.close();
  }
}

/** A vault says that a key is unknown without asking anybody, by the name of the key. */
async function firstThatKnows<T>(vaults: readonly KeyVault[], ask: (vault: KeyVault) => Promise<T>): Promise<T> {
  for (const vault of vaults) {
    try {
      return await ask(vault);
    } catch (error) {
      if (!(error instanceof SealedBlobError) || error.reason !== 'unknown-key') throw error;
    }
  }
  throw new SealedBlobError('unknown-key');
}
