import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** COSE algorithms (RFC 9053) supported by the authenticator; ES384 is one that is never requested. */
export type Algorithm = -7 | -8 | -257 | -35;

interface Ceremony {
  origin: string;
  rpId: string;
  /** Overrides in the client data, for values that no browser would send. */
  clientData?: Record<string, unknown>;
  /** Of the authenticator data (WebAuthn §6.1): user present, user verified, backup eligible, backed up. */
  flags?: Partial<Record<'up' | 'uv' | 'be' | 'bs', boolean>>;
}

const BITS = { up: 0x01, uv: 0x04, be: 0x08, bs: 0x10 } as const;
const ATTESTED = 0x40;
const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();
const text = (bytes: Buffer | Uint8Array): string => Buffer.from(bytes).toString('base64url');
const cbor = (value: unknown): Buffer => Buffer.from(isoCBOR.encode(value as never));

/** An authenticator with one passkey, implementing WebAuthn Level 3 §6; it signs whatever a test wants. */
export class Authenticator {
  readonly credentialId: Buffer;
  private readonly keys: { publicKey: KeyObject; privateKey: KeyObject };
  userHandle: string | undefined;
  /** Increment of the counter per signature; 0 for authenticators without a counter. */
  step = 1;
  count = 0;

  constructor(
    private readonly algorithm: Algorithm = -7,
    credentialIdBytes = 32,
  ) {
    this.credentialId = randomBytes(credentialIdBytes);
    this.keys = newKeys(algorithm);
  }

  get id(): string {
    return text(this.credentialId);
  }

  /** The browser's response to options for a new passkey. */
  create(options: { challenge: string; user: { id: string } }, ceremony: Ceremony) {
    this.userHandle = options.user.id;
    const clientDataJson = clientDataOf('webauthn.create', options.challenge, ceremony);
    const attested = Buffer.concat([Buffer.alloc(16), lengthOf(this.credentialId), this.credentialId, this.coseKey()]);
    const authData = Buffer.concat([this.head(ceremony, ATTESTED), attested]);
    const attestationObject = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]),
    );
    return {
      ...{ id: this.id, rawId: this.id, type: 'public-key' as const, clientExtensionResults: {} },
      response: {
        clientDataJson: text(clientDataJson),
        attestationObject: text(attestationObject),
        transports: ['internal' as const],
      },
    };
  }

  /** The browser's response to options for an assertion. */
  get(options: { challenge: string }, ceremony: Ceremony) {
    this.count += this.step;
    const clientData = clientDataOf('webauthn.get', options.challenge, ceremony);
    const authenticatorData = this.head(ceremony, 0);
    const signature = this.sign(Buffer.concat([authenticatorData, sha256(clientData)]));
    return {
      ...{ id: this.id, rawId: this.id, type: 'public-key' as const, clientExtensionResults: {} },
      response: {
        clientDataJSON: text(clientData),
        authenticatorData: text(authenticatorData),
        signature: text(signature),
        ...(this.userHandle && { userHandle: this.userHandle }),
      },
    };
  }

  private sign(bytes: Buffer): Buffer {
    if (this.algorithm === -8) return sign(null, bytes, this.keys.privateKey);
    return sign(this.algorithm === -35 ? 'sha384' : 'sha256', bytes, this.keys.privateKey);
  }

  private head({ rpId, flags }: Ceremony, extra: number): Buffer {
    const set = { up: true, uv: true, be: false, bs: false, ...flags };
    const bits = Object.entries(BITS).reduce(
      (sum, [name, bit]) => sum | (set[name as keyof typeof set] ? bit : 0),
      extra,
    );
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.count);
    return Buffer.concat([sha256(rpId), Buffer.from([bits]), count]);
  }

  /** RFC 9052 §7 and RFC 8230 §4. */
  private coseKey(): Buffer {
    const { kty, crv, x, y, n, e } = this.keys.publicKey.export({ format: 'jwk' });
    const bytes = (value: string | undefined): Uint8Array => new Uint8Array(Buffer.from(value ?? '', 'base64url'));
    const alg: [number, unknown] = [3, this.algorithm];
    if (kty === 'OKP') return cbor(new Map([[1, 1], alg, [-1, 6], [-2, bytes(x)]]));
    if (kty === 'RSA') return cbor(new Map([[1, 3], alg, [-1, bytes(n)], [-2, bytes(e)]]));
    return cbor(new Map([[1, 2], alg, [-1, crv === 'P-384' ? 2 : 1], [-2, bytes(x)], [-3, bytes(y)]]));
  }
}

function newKeys(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === -8) return generateKeyPairSync('ed25519');
  if (algorithm === -257) return generateKeyPairSync('rsa', { modulusLength: 2048 });
  return generateKeyPairSync('ec', { namedCurve: algorithm === -35 ? 'P-384' : 'P-256' });
}

function clientDataOf(type: string, challenge: string, { origin, clientData }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...clientData }));
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return length;
}
