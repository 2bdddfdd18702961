import { randomBytes } from 'node:crypto';
import { kemOf, receiverKeys } from '../vault/index.js';
import { MovingRefusedError } from './moving-refused.error.js';

const PUBLIC_PREFIX = 'gatehouse-operator-public-';
const SECRET_PREFIX = 'gatehouse-operator-secret-';
const KEY_BYTES = 32;

/** A key pair as text: an X25519 public key, and the 32 bytes the pair is derived from (RFC 9180, section 7.1.3). */
export interface OperatorKeyTexts {
  readonly publicKey: string;
  readonly secret: string;
}

export async function newOperatorKey(): Promise<OperatorKeyTexts> {
  const secret = randomBytes(KEY_BYTES);
  const texts = { publicKey: publicKeyText(await operatorPublicKey(secret)), secret: written(SECRET_PREFIX, secret) };
  secret.fill(0);
  return texts;
}

export const publicKeyText = (key: Uint8Array): string => written(PUBLIC_PREFIX, key);

export const operatorPublicKey = async (secret: Uint8Array): Promise<Buffer> => (await receiverKeys(secret)).X25519;

/** @throws MovingRefusedError for an invalid or unusable public key */
export async function parseOperatorPublicKey(text: string): Promise<Buffer> {
  const key = read(PUBLIC_PREFIX, text);
  if (!key || (await kemOf(key)) !== 'X25519') {
    throw new MovingRefusedError(`This is no public key of an operator: one begins with ${PUBLIC_PREFIX}.`);
  }
  return key;
}

/** @throws MovingRefusedError that does not repeat the text */
export function parseOperatorSecret(text: string): Buffer {
  const secret = read(SECRET_PREFIX, text.trim());
  if (!secret)
    throw new MovingRefusedError(`The file holds no secret of an operator: one begins with ${SECRET_PREFIX}.`);
  return secret;
}

const written = (prefix: string, bytes: Uint8Array): string => prefix + Buffer.from(bytes).toString('base64url');

function read(prefix: string, text: string): Buffer | null {
  if (!text.startsWith(prefix)) return null;
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
  return bytes.length === KEY_BYTES && written(prefix, bytes) === text ? bytes : null;
}
