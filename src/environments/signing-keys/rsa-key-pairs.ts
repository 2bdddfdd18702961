import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { SecretBytes } from '../../vault/index.js';

const generate = promisify(generateKeyPair);

/** The minimum for RS256 in RFC 7518 §3.3; longer keys slow down every token and every verification. */
const MODULUS_BITS = 2048;

export interface RsaKeyPair {
  /** SPKI in PEM. */
  publicKey: string;
  /** PKCS #8 in DER; the recipient must wipe it. */
  privateKey: SecretBytes;
}

@Injectable()
export class RsaKeyPairs {
  /** A new key pair, generated off the main thread in about 100 ms. */
  async make(): Promise<RsaKeyPair> {
    const { publicKey, privateKey } = await generate('rsa', {
      modulusLength: MODULUS_BITS,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    });
    return { publicKey, privateKey: SecretBytes.from(privateKey) };
  }
}
