import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { inspect } from 'node:util';

export const PRIVATE_KEY_PREFIX = 'whsk_';
export const PUBLIC_KEY_PREFIX = 'whpk_';
const SEED_BYTES = 32;
const REDACTED = `${PRIVATE_KEY_PREFIX}[redacted]`;
/** PKCS #8 prefix of an Ed25519 key (RFC 8410 section 7), followed by its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * A webhook's Ed25519 key pair. The private key never leaves the service and prints as `whsk_[redacted]`; receivers get
 * only the public key, which cannot sign.
 */
export class WebhookSigningKey {
  readonly #seed: Buffer;
  readonly #key: KeyObject;
  /** `whpk_` and the base64 of the 32-byte public key. */
  readonly publicKey: string;

  private constructor(seed: Buffer) {
    this.#seed = seed;
    this.#key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
    const { x } = createPublicKey(this.#key).export({ format: 'jwk' });
    this.publicKey = PUBLIC_KEY_PREFIX + Buffer.from(x ?? '', 'base64url').toString('base64');
  }

  static generate(): WebhookSigningKey {
    return new WebhookSigningKey(randomBytes(SEED_BYTES));
  }

  /** @param text as returned by {@link reveal}. The error message never contains the text. */
  static parse(text: string): WebhookSigningKey {
    const seed = Buffer.from(text.slice(PRIVATE_KEY_PREFIX.length), 'base64');
    if (!text.startsWith(PRIVATE_KEY_PREFIX) || seed.length !== SEED_BYTES) {
      throw new RangeError(`a signing key is ${PRIVATE_KEY_PREFIX} and the base64 of ${SEED_BYTES} bytes`);
    }
    return new WebhookSigningKey(seed);
  }

  /** The base64 signature of exactly these bytes (RFC 8032, pure Ed25519). */
  sign(content: Buffer): string {
    return sign(null, content, this.#key).toString('base64');
  }

  /** The private key as text, only for sealing it. */
  reveal(): string {
    return PRIVATE_KEY_PREFIX + this.#seed.toString('base64');
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
