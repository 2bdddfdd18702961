import { createHash, createHmac, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { signRecoverable } from 'tiny-secp256k1';
import type { BareSetup } from './setup.js';

/** Seconds. */
export const TOKEN_LIFE = 2 * 60 * 60;

interface Claims {
  readonly sub: string;
  readonly sid: string;
  readonly exp: number;
}

/** RS256 (RFC 7518 §3.3) with node:crypto and key objects created once; SHA-256 of API tokens; HMAC of codes. */
export class Signatures {
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;
  private readonly header: string;
  private readonly codeKey: Buffer;
  private readonly walletKey = createHash('sha256').update('a key of the bench').digest();
  readonly jwks: object;

  constructor(private readonly setup: BareSetup) {
    this.privateKey = createPrivateKey(setup.privateKey);
    this.publicKey = createPublicKey(this.privateKey);
    this.header = encode({ alg: 'RS256', typ: 'JWT', kid: setup.kid });
    this.codeKey = Buffer.from(setup.codeKey, 'hex');
    const { kty, n, e } = this.publicKey.export({ format: 'jwk' });
    this.jwks = { keys: [{ kid: setup.kid, alg: 'RS256', kty, use: 'sig', e, n }] };
  }

  token(claims: object): string {
    const text = `${this.header}.${encode(claims)}`;
    return `${text}.${sign('sha256', Buffer.from(text), this.privateKey).toString('base64url')}`;
  }

  /** The claims of an unexpired token of this environment, else null. */
  read(token: string): Claims | null {
    const end = token.lastIndexOf('.');
    const signature = Buffer.from(token.slice(end + 1), 'base64url');
    if (!verify('sha256', Buffer.from(token.slice(0, end)), this.publicKey, signature)) return null;
    const claims = JSON.parse(Buffer.from(token.slice(token.indexOf('.') + 1, end), 'base64url').toString()) as Claims;
    return claims.exp * 1000 > Date.now() ? claims : null;
  }

  /** EIP-191 with a key held in memory. */
  message(text: string): object {
    const digest = keccak_256(Buffer.from(`\u0019Ethereum Signed Message:\n${Buffer.byteLength(text)}${text}`));
    const { signature, recoveryId } = signRecoverable(digest, this.walletKey);
    const written = Buffer.concat([signature, Buffer.of(27 + recoveryId)]).toString('hex');
    return { signature: `0x${written}`, digest: Buffer.from(digest).toString('hex') };
  }

  code(verificationId: string, code: string): Buffer {
    return codeHmac(this.codeKey, this.setup.environmentId, verificationId, code);
  }
}

export const codeHmac = (key: Buffer, environmentId: string, verificationId: string, code: string): Buffer =>
  createHmac('sha256', key).update(`${environmentId}|${verificationId}|${code}`).digest();

export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
