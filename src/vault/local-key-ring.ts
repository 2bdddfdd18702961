import { createSecretKey, type KeyObject } from 'node:crypto';
import { gcmOpen, gcmSeal } from './aes-gcm.js';
import { KeyVault, type WrappedKey } from './key-vault.js';
import { additionalData, type SealContext } from './seal-context.js';
import { SecretBytes } from './secret-bytes.js';
import { KeyRingError, SealedBlobError } from './vault.errors.js';

export const MASTER_KEY_BYTES = 32;

/** Version of the wrapped key's layout, authenticated with the context. */
const WRAP_VERSION = 1;

/** Ids are stored beside every secret in the clear; they name a key and say nothing about it. */
const KEY_ID = /^[A-Za-z0-9._-]{1,32}$/;

export interface MasterKey {
  /** 1 to 32 characters of `A-Z a-z 0-9 . _ -`. */
  readonly id: string;
  /** 32 bytes. The ring takes its own copy and wipes these. */
  readonly bytes: SecretBytes;
}

/**
 * Master keys held in this process. The first one wraps; the others are kept to unwrap what they wrapped until
 * everything has been rewrapped, and can then be dropped.
 */
export class LocalKeyRing extends KeyVault {
  readonly currentKeyId: string;
  readonly #current: KeyObject;
  readonly #keys: ReadonlyMap<string, KeyObject>;

  /** @throws KeyRingError on an empty ring, a bad or repeated id, a repeated key or a key that is not 32 bytes */
  constructor(masterKeys: readonly MasterKey[]) {
    super();
    const keys = new Map<string, KeyObject>();
    for (const [position, { id, bytes }] of masterKeys.entries()) {
      const entry = `Master key ring: entry ${position + 1}`;
      if (!KEY_ID.test(id)) throw new KeyRingError(`${entry} needs an id of 1 to 32 letters, digits, '.', '_' or '-'.`);
      if (keys.has(id)) throw new KeyRingError(`${entry} repeats the id of an earlier entry.`);
      if (bytes.byteLength !== MASTER_KEY_BYTES) throw new KeyRingError(`${entry} is not ${MASTER_KEY_BYTES} bytes.`);
      const key = createSecretKey(bytes.expose());
      if ([...keys.values()].some((other) => other.equals(key))) {
        throw new KeyRingError(`${entry} repeats the key of an earlier entry.`);
      }
      keys.set(id, key);
      bytes.wipe();
    }
    const [first] = keys;
    if (first === undefined) throw new KeyRingError('Master key ring: no key was given.');
    [this.currentKeyId, this.#current] = first;
    this.#keys = keys;
  }

  /** Ids in ring order, the current one first. */
  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  async wrap(dataKey: SecretBytes, context: SealContext): Promise<WrappedKey> {
    const aad = additionalData(context, WRAP_VERSION);
    return { keyId: this.currentKeyId, bytes: gcmSeal(this.#current, dataKey.expose(), aad) };
  }

  async unwrap(wrapped: WrappedKey, context: SealContext): Promise<SecretBytes> {
    const key = this.#keys.get(wrapped.keyId);
    if (key === undefined) throw new SealedBlobError('unknown-key');
    return SecretBytes.from(gcmOpen(key, wrapped.bytes, additionalData(context, WRAP_VERSION)));
  }

  async rewrap(wrapped: WrappedKey, context: SealContext): Promise<WrappedKey> {
    const dataKey = await this.unwrap(wrapped, context);
    try {
      return await this.wrap(dataKey, context);
    } finally {
      dataKey.wipe();
    }
  }

  async retireOlderKeys(): Promise<string> {
    return 'Older keys may leave MASTER_KEY.';
  }
}
