import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
} from 'node:crypto';

type HpkeKem = 'P256' | 'X25519';

/** An HPKE recipient built only on node:crypto, following RFC 9180 step by step. */
export interface HpkeRecipient {
  readonly kem: HpkeKem;
  /** In the serialisation of RFC 9180. */
  readonly publicKey: Buffer;
  /** @throws Error if it cannot be opened */
  open(enc: Buffer, ciphertext: Buffer, info: Buffer, aad: Buffer): Buffer;
}

const KDF_AND_AEAD = Buffer.from('00010002', 'hex');
const KEM_IDS = { P256: 0x0010, X25519: 0x0020 } as const;
const VERSION = Buffer.from('HPKE-v1');
const NONE = Buffer.alloc(0);

const number = (value: number): Buffer => Buffer.of(value >> 8, value & 0xff);
const hmac = (key: Buffer, ...parts: Buffer[]): Buffer =>
  createHmac('sha256', key).update(Buffer.concat(parts)).digest();

/** Section 4: `LabeledExtract` and `LabeledExpand`, of a suite. */
function labeled(suite: Buffer) {
  return {
    extract: (salt: Buffer, label: string, ikm: Buffer): Buffer =>
      hmac(salt.length > 0 ? salt : Buffer.alloc(32), VERSION, suite, Buffer.from(label), ikm),
    // At most 32 bytes are requested, so one round of HKDF-Expand is enough.
    expand: (prk: Buffer, label: string, info: Buffer, length: number): Buffer =>
      hmac(prk, number(length), VERSION, suite, Buffer.from(label), info, Buffer.of(1)).subarray(0, length),
  };
}

/** Key and nonce of the one message (sections 4.1 and 5.1). */
function schedule(kem: HpkeKem, publicKey: Buffer, enc: Buffer, agreed: Buffer, info: Buffer) {
  const inKem = labeled(Buffer.concat([Buffer.from('KEM'), number(KEM_IDS[kem])]));
  const context = Buffer.concat([enc, publicKey]);
  const shared = inKem.expand(inKem.extract(NONE, 'eae_prk', agreed), 'shared_secret', context, 32);
  const inSuite = labeled(Buffer.concat([Buffer.from('HPKE'), number(KEM_IDS[kem]), KDF_AND_AEAD]));
  const hashes = [inSuite.extract(NONE, 'psk_id_hash', NONE), inSuite.extract(NONE, 'info_hash', info)];
  const of = Buffer.concat([Buffer.of(0), ...hashes]);
  const secret = inSuite.extract(shared, 'secret', NONE);
  return { key: inSuite.expand(secret, 'key', of, 32), nonce: inSuite.expand(secret, 'base_nonce', of, 12) };
}

function openWith(kem: HpkeKem, publicKey: Buffer, agree: (other: Buffer) => Buffer): HpkeRecipient['open'] {
  return (enc, ciphertext, info, aad) => {
    const { key, nonce } = schedule(kem, publicKey, enc, agree(enc), info);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 });
    decipher.setAAD(aad);
    decipher.setAuthTag(ciphertext.subarray(-16));
    return Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()]);
  };
}

/** Seals a message to a public key, whose length determines the KEM. */
export function sealFor(recipient: Buffer, plaintext: Buffer, info: Buffer, aad: Buffer) {
  const kem = recipient.length === 32 ? 'X25519' : 'P256';
  const { publicKey: enc, agree } = newPair(kem);
  const { key, nonce } = schedule(kem, recipient, enc, agree(recipient), info);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 });
  cipher.setAAD(aad);
  return { enc, ciphertext: Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]) };
}

export function newRecipient(kem: HpkeKem): HpkeRecipient {
  const { publicKey, agree } = newPair(kem);
  return { kem, publicKey, open: openWith(kem, publicKey, agree) };
}

function newPair(kem: HpkeKem): { publicKey: Buffer; agree: (other: Buffer) => Buffer } {
  if (kem === 'P256') {
    const pair = createECDH('prime256v1');
    return { publicKey: pair.generateKeys(), agree: (other) => pair.computeSecret(other) };
  }
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const der = publicKey.export({ format: 'der', type: 'spki' });
  const agree = (other: Buffer): Buffer => {
    const key = Buffer.concat([der.subarray(0, -32), other]);
    return diffieHellman({ privateKey, publicKey: createPublicKey({ key, format: 'der', type: 'spki' }) });
  };
  return { publicKey: der.subarray(-32), agree };
}
