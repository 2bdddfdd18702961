import { signerUnavailable, ThresholdEcdsa, type EcdsaSignature } from '../../src/custody/index.js';
import { OutboundError, type OutboundHttp } from '../../src/outbound/index.js';

const TIMEOUT_MS = 5_000;
const RETRY_AFTER_SECONDS = 5;
const DIGEST_BYTES = 32;
const PUBLIC_KEY = /^0[23][0-9a-f]{64}$/;
const SIGNATURE = /^[0-9a-f]{128}$/;

export interface EcdsaServiceSettings {
  /** Base URL of the service, without a trailing slash. */
  readonly url: string;
  /** Issued with the operator's licence. Never logged or included in errors. */
  readonly token: string;
}

interface Answer {
  readonly publicKey?: unknown;
  readonly signature?: unknown;
  readonly recoveryId?: unknown;
}

/** The service over HTTP, with operations invented for this example: replace them with those of the real one. */
export class HttpThresholdEcdsa extends ThresholdEcdsa {
  constructor(
    private readonly http: OutboundHttp,
    private readonly settings: EcdsaServiceSettings,
  ) {
    super();
  }

  override async createKey(name: string): Promise<void> {
    await this.ask('PUT', `/keys/${name}`);
  }

  override async publicKey(name: string, index: number): Promise<Buffer> {
    const { publicKey } = await this.ask('GET', `/keys/${name}/accounts/${index}`);
    return bytesOf(publicKey, PUBLIC_KEY);
  }

  override async sign(name: string, index: number, digest: Buffer): Promise<EcdsaSignature> {
    if (digest.length !== DIGEST_BYTES) throw new Error('A digest has 32 bytes.');
    const body = { digest: digest.toString('hex') };
    const { signature, recoveryId } = await this.ask('POST', `/keys/${name}/accounts/${index}/signatures`, body);
    if (recoveryId !== 0 && recoveryId !== 1) throw new Error('The service answers no signature.');
    return { signature: bytesOf(signature, SIGNATURE), recoveryId };
  }

  override async destroyKey(name: string): Promise<void> {
    await this.ask('DELETE', `/keys/${name}`);
  }

  /** @throws ApiError signer_unavailable while the service is unavailable, Error for an invalid response */
  private async ask(method: 'PUT' | 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer> {
    const { url, token } = this.settings;
    const asked = {
      method,
      url: `${url}${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
    };
    const { status, body: bytes } = await this.http.send(asked).catch((cause: unknown) => {
      throw cause instanceof OutboundError ? away(cause) : cause;
    });
    if (status >= 500 || status === 429) throw away(new Error(`The service answers ${status}.`));
    if (status !== 200) throw new Error(`The service answers ${status}.`);
    return answerIn(bytes);
  }
}

const away = (cause: Error): Error => signerUnavailable({ cause, retryAfterSeconds: RETRY_AFTER_SECONDS });

/** Anything but a JSON object is from a proxy in place of the service. Its text is not repeated. */
function answerIn(bytes: Buffer): Answer {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Told below.
  }
  throw away(new Error('The service answers something else than JSON.'));
}

function bytesOf(value: unknown, form: RegExp): Buffer {
  if (typeof value !== 'string' || !form.test(value)) throw new Error('The service answers something else than asked.');
  return Buffer.from(value, 'hex');
}
