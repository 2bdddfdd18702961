import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256, sha512_256 } from '@noble/hashes/sha2.js';
import { keccak_256, sha3_256 } from '@noble/hashes/sha3.js';
import { base32nopad, base64, bech32, createBase58check } from '@scure/base';

export type OtherChain = 'ALGO' | 'APTOS' | 'COSMOS' | 'TRON';

/** A chain's wallet, implemented from its documentation, independently of the service: both must agree. */
export interface ChainSigner {
  /** The account as it appears in messages. */
  account: string;
  address: string;
  /** A signed message, in the format of wallets. */
  sign(text: string): string;
  /** A signature over bytes without message framing. */
  signRaw(bytes: Uint8Array): string;
  encode(bytes: Uint8Array): string;
  decode(text: string): Uint8Array;
}

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const joined = (...parts: (Uint8Array | string)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));

const SIGNERS: Record<OtherChain, () => ChainSigner> = {
  ALGO: () => {
    const { secretKey, publicKey } = ed25519.keygen();
    const checksum = sha512_256(publicKey).slice(-4);
    const signRaw = (bytes: Uint8Array) => base64.encode(ed25519.sign(bytes, secretKey));
    return {
      account: 'Algorand',
      address: base32nopad.encode(joined(publicKey, checksum)),
      sign: (text) => signRaw(joined('MX', text)),
      signRaw,
      encode: base64.encode,
      decode: base64.decode,
    };
  },
  APTOS: () => {
    const { secretKey, publicKey } = ed25519.keygen();
    const signRaw = (bytes: Uint8Array) => `0x0020${hexOf(publicKey)}40${hexOf(ed25519.sign(bytes, secretKey))}`;
    return {
      account: 'Aptos',
      address: `0x${hexOf(sha3_256(joined(publicKey, Uint8Array.of(0))))}`,
      sign: (text) => signRaw(joined(sha3_256(joined('SIGN_IN_WITH_APTOS::')), text)),
      signRaw,
      encode: hexOf,
      decode: (text) => bytesOf(text.slice(2)),
    };
  },
  COSMOS: () => {
    const { secretKey, publicKey } = secp256k1.keygen();
    const address = bech32.encode('cosmos', bech32.toWords(ripemd160(sha256(publicKey))));
    const signRaw = (bytes: Uint8Array) => base64.encode(secp256k1.sign(bytes, secretKey, { prehash: true }));
    const document = (text: string) =>
      `{"account_number":"0","chain_id":"","fee":{"amount":[],"gas":"0"},"memo":"","msgs":[{"type":"sign/MsgSignData","value":{"data":"${Buffer.from(text).toString('base64')}","signer":"${address}"}}],"sequence":"0"}`;
    return {
      account: 'Cosmos',
      address,
      sign: (text) => signRaw(joined(document(text))),
      signRaw,
      encode: base64.encode,
      decode: base64.decode,
    };
  },
  TRON: () => {
    const { secretKey } = secp256k1.keygen();
    const point = secp256k1.getPublicKey(secretKey, false).slice(1);
    const signRaw = (bytes: Uint8Array) => {
      const [recovery, ...rest] = secp256k1.sign(keccak_256(bytes), secretKey, { prehash: false, format: 'recovered' });
      return `0x${hexOf(Uint8Array.of(...rest, 27 + recovery!))}`;
    };
    return {
      account: 'Tron',
      address: createBase58check(sha256).encode(joined(Uint8Array.of(0x41), keccak_256(point).slice(-20))),
      sign: (text) => signRaw(joined(`\x19TRON Signed Message:\n${Buffer.byteLength(text)}`, text)),
      signRaw,
      encode: (bytes) => `0x${hexOf(bytes)}`,
      decode: (text) => bytesOf(text.slice(2)),
    };
  },
};

export const newSigner = (chain: OtherChain): ChainSigner => SIGNERS[chain]();
