/* global crypto, TextEncoder */

// HPKE (RFC 9180) in base mode: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM; one message for each key.
const { subtle } = crypto;
const CURVE = { name: 'ECDH', namedCurve: 'P-256' };
const NONE = new Uint8Array();
const utf8 = (text) => new TextEncoder().encode(text);
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const VERSION = utf8('HPKE-v1');
const KEM = joined(utf8('KEM'), [0x00, 0x10]);
const SUITE = joined(utf8('HPKE'), [0x00, 0x10, 0x00, 0x01, 0x00, 0x02]);

async function hmac(secret, message) {
  // Web Crypto rejects empty keys. HMAC pads keys with zeros, so an all-zero key is equivalent.
  const bytes = secret.length > 0 ? secret : new Uint8Array(32);
  const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await subtle.sign('HMAC', key, message));
}
/** Section 4: LabeledExtract and LabeledExpand, limited to 32 bytes, which is one round of HKDF-Expand. */
const extract = (suite, salt, label, input) => hmac(salt, joined(VERSION, suite, utf8(label), input));
const expand = async (suite, secret, label, info, length) =>
  (await hmac(secret, joined([0, length], VERSION, suite, utf8(label), info, [1]))).slice(0, length);

/** Key and nonce of the one message (sections 4.1 and 5.1). */
async function cipherOf(privateKey, otherKey, enc, recipient, info) {
  const agreed = new Uint8Array(await subtle.deriveBits({ name: 'ECDH', public: otherKey }, privateKey, 256));
  const context = joined(enc, recipient);
  const shared = await expand(KEM, await extract(KEM, NONE, 'eae_prk', agreed), 'shared_secret', context, 32);
  const hashes = [await extract(SUITE, NONE, 'psk_id_hash', NONE), await extract(SUITE, NONE, 'info_hash', info)];
  const schedule = joined([0], ...hashes);
  const secret = await extract(SUITE, shared, 'secret', NONE);
  const key = await expand(SUITE, secret, 'key', schedule, 32);
  return {
    key: await subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt']),
    iv: await expand(SUITE, secret, 'base_nonce', schedule, 12),
  };
}

const publicKeyOf = (bytes) => subtle.importKey('raw', bytes, CURVE, true, []);
const bytesOf = async (key) => new Uint8Array(await subtle.exportKey('raw', key));

/** Seals a message to a public key: an uncompressed point of 65 bytes. */
export async function seal(recipient, message, info, additionalData) {
  const pair = await subtle.generateKey(CURVE, false, ['deriveBits']);
  const enc = await bytesOf(pair.publicKey);
  const { key, iv } = await cipherOf(pair.privateKey, await publicKeyOf(recipient), enc, recipient, utf8(info));
  const parameters = { name: 'AES-GCM', iv, additionalData: utf8(additionalData) };
  return { enc, ciphertext: new Uint8Array(await subtle.encrypt(parameters, key, message)) };
}

/** A key pair for one message. */
export async function newRecipient() {
  const pair = await subtle.generateKey(CURVE, false, ['deriveBits']);
  const publicKey = await bytesOf(pair.publicKey);
  return {
    publicKey,
    async open(enc, ciphertext, info, additionalData) {
      const { key, iv } = await cipherOf(pair.privateKey, await publicKeyOf(enc), enc, publicKey, utf8(info));
      const parameters = { name: 'AES-GCM', iv, additionalData: utf8(additionalData) };
      return new Uint8Array(await subtle.decrypt(parameters, key, ciphertext));
    },
  };
}
