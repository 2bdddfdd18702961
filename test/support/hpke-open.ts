import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
} from 'node:crypto';

/** A recipient of HPKE, made with nothing but node:crypto: the steps of RFC 9180 one by one. */
export interface HpkeRecipient {
  readonly kem: 'P256' | 'X25519';
  /** As RFC 9180 serialises it. */
  readonly publicKey: Buffer;
  /** @throws Error when it does not open */
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
    // 32 bytes at most are asked for, so there is one round of HKDF-Expand.
    expand: (prk: Buffer, label: string, info: Buffer, length: number): Buffer =>
      hmac(prk, number(length), VERSION, suite, Buffer.from(label), info, Buffer.of(1)).subarray(0, length),
  };
}

function openWith(kem: 'P256' | 'X25519', publicKey: Buffer, agree: (enc: Buffer) => Buffer): HpkeRecipient['open'] {
  return (enc, ciphertext, info, aad) => {
    const inKem = labeled(Buffer.concat([Buffer.from('KEM'), number(KEM_IDS[kem])]));
    const agreed = inKem.extract(NONE, 'eae_prk', agree(enc));
    const shared = inKem.expand(agreed, 'shared_secret', Buffer.concat([enc, publicKey]), 32);
    const inSuite = labeled(Buffer.concat([Buffer.from('HPKE'), number(KEM_IDS[kem]), KDF_AND_AEAD]));
    const hashes = [inSuite.extract(NONE, 'psk_id_hash', NONE), inSuite.extract(NONE, 'info_hash', info)];
    const context = Buffer.concat([Buffer.of(0), ...hashes]);
    const secret = inSuite.extract(shared, 'secret', NONE);
    const [key, nonce] = [
      inSuite.expand(secret, 'key', context, 32),
      inSuite.expand(secret, 'base_nonce', context, 12),
    ];
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 });
    decipher.setAAD(aad);
    decipher.setAuthTag(ciphertext.subarray(-16));
    return Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()]);
  };
}

export function newRecipient(kem: 'P256' | 'X25519'): HpkeRecipient {
  if (kem === 'P256') {
    const pair = createECDH('prime256v1');
    const publicKey = pair.generateKeys();
    return { kem, publicKey, open: openWith(kem, publicKey, (enc) => pair.computeSecret(enc)) };
  }
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const header = publicKey.export({ format: 'der', type: 'spki' }).subarray(0, -32);
  const agree = (enc: Buffer): Buffer => {
    const other = createPublicKey({ key: Buffer.concat([header, enc]), format: 'der', type: 'spki' });
    return diffieHellman({ privateKey, publicKey: other });
  };
  return { kem, publicKey: raw, open: openWith(kem, raw, agree) };
}
