import type { webcrypto } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';

/** Key encapsulation mechanisms (RFC 9180, section 7.1), each with HKDF-SHA256 and AES-256-GCM. */
export const HPKE_KEMS = ['P256', 'X25519'] as const;
export type HpkeKem = (typeof HPKE_KEMS)[number];

/** Whom something is sealed to, and for which purpose: what was sealed for one opens for no other. */
export interface Recipient {
  readonly kem: HpkeKem;
  readonly publicKey: Uint8Array;
  readonly info: Uint8Array;
}

/** The encapsulated key, and the ciphertext with its tag. */
export interface HpkeMessage {
  readonly enc: Buffer;
  readonly ciphertext: Buffer;
}

/** The first byte of an uncompressed point (SEC 1, section 2.3.3). Others of the same length are taken by OpenSSL. */
const UNCOMPRESSED = 4;
/** Lengths of serialised public keys: an uncompressed point, and 32 bytes. */
const PUBLIC_KEY_BYTES: Record<HpkeKem, number> = { P256: 65, X25519: 32 };

const suiteOf = (kem: HpkeKem): CipherSuite =>
  new CipherSuite({
    kem: kem === 'P256' ? new DhkemP256HkdfSha256() : new DhkemX25519HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  });

/** The mechanism whose public keys look so; null when it is no public key of any: not on the curve, or of low order. */
export async function kemOf(publicKey: Uint8Array): Promise<HpkeKem | null> {
  const kem = HPKE_KEMS.find((one) => PUBLIC_KEY_BYTES[one] === publicKey.byteLength);
  if (!kem || (kem === 'P256' && publicKey[0] !== UNCOMPRESSED)) return null;
  try {
    const probe = { kem, publicKey, info: new Uint8Array() };
    await sealTo(probe, Buffer.of(0), Buffer.alloc(0));
    return kem;
  } catch {
    return null;
  }
}

/** Key pairs of every mechanism from one secret of 32 bytes (`DeriveKeyPair`, RFC 9180, section 7.1.3): the public halves. */
export async function receiverKeys(secret: Uint8Array): Promise<Record<HpkeKem, Buffer>> {
  const publicKeyOf = async (kem: HpkeKem): Promise<Buffer> => {
    const suite = suiteOf(kem);
    const { publicKey } = await keyPairOf(suite, secret);
    return Buffer.from(await suite.kem.serializePublicKey(publicKey));
  };
  return { P256: await publicKeyOf('P256'), X25519: await publicKeyOf('X25519') };
}

/** What was sealed to one of the keys of a secret; null unless it was, for this purpose and with this additional data. */
export async function openOffer(
  secret: Uint8Array,
  { enc, ciphertext }: HpkeMessage,
  { info, aad }: { readonly info: Uint8Array; readonly aad: Uint8Array },
): Promise<Buffer | null> {
  const kem = HPKE_KEMS.find((one) => PUBLIC_KEY_BYTES[one] === enc.byteLength);
  if (!kem) return null;
  try {
    const suite = suiteOf(kem);
    const recipientKey = await keyPairOf(suite, secret);
    const opening = { recipientKey, enc: exactly(enc), info: exactly(info) };
    return Buffer.from(await suite.open(opening, exactly(ciphertext), exactly(aad)));
  } catch {
    return null;
  }
}

/** HPKE in base mode, one message (RFC 9180, section 6.1). */
export async function sealTo(
  { kem, publicKey, info }: Recipient,
  plaintext: Uint8Array,
  aad: Uint8Array,
): Promise<HpkeMessage> {
  const suite = suiteOf(kem);
  const recipientPublicKey = (await suite.kem.deserializePublicKey(exactly(publicKey))) as webcrypto.CryptoKey;
  const sealed = await usingCopy(plaintext, (copy) =>
    suite.seal({ recipientPublicKey, info: exactly(info) }, copy, exactly(aad)),
  );
  return { enc: Buffer.from(sealed.enc), ciphertext: Buffer.from(sealed.ct) };
}

const keyPairOf = (suite: CipherSuite, secret: Uint8Array): Promise<webcrypto.CryptoKeyPair> =>
  usingCopy(secret, async (copy) => (await suite.kem.deriveKeyPair(copy)) as webcrypto.CryptoKeyPair);

/** For secrets, which the caller wipes: so is the copy. */
async function usingCopy<T>(secret: Uint8Array, use: (copy: ArrayBuffer) => Promise<T>): Promise<T> {
  const copy = exactly(secret);
  try {
    return await use(copy);
  } finally {
    new Uint8Array(copy).fill(0);
  }
}

/** The library reads whole buffers: a view of a larger one would bring its neighbours along. */
function exactly(bytes: Uint8Array): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
