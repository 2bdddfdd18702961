import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { JsonServer, type Answered, type Asked } from './json-server.js';

interface TransitKey {
  readonly versions: { bytes: Buffer; madeAt: number }[];
  minimum: number;
  readonly derived: boolean;
}

interface Input {
  context?: string;
  plaintext: string;
  ciphertext: string;
  bits: number;
  min_decryption_version: number;
  role_id: string;
  secret_id: string;
}

class TransitError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The transit engine and AppRole login of HashiCorp Vault, according to its API documentation. */
export class TransitServer extends JsonServer {
  readonly namespace = 'team/gatehouse';
  readonly staticToken = `hvs.${randomBytes(18).toString('base64url')}`;
  readonly role = { id: randomUUID(), secret: randomUUID() };
  readonly plaintexts: string[] = [];
  /** As if its policy were gone: logs in, and may do nothing with any key. */
  hasNoPolicy = false;
  private readonly keys = new Map<string, TransitKey>();
  private readonly tokens = new Set([this.staticToken]);

  /** @param madeSecondsAgo age of the first key version */
  addKey(name: string, { derived = true, madeSecondsAgo = 3_600 } = {}): string {
    this.keys.set(name, { versions: [], minimum: 1, derived });
    this.rotate(name, madeSecondsAgo);
    return name;
  }

  rotate(name: string, madeSecondsAgo = 3_600): void {
    const madeAt = Math.floor(Date.now() / 1_000) - madeSecondsAgo;
    this.keys.get(name)!.versions.push({ bytes: randomBytes(32), madeAt });
  }

  minimumOf(name: string): number {
    return this.keys.get(name)!.minimum;
  }

  /** Revokes every token issued by a login. */
  revokeTokens(): void {
    this.tokens.clear();
    this.tokens.add(this.staticToken);
  }

  settings(key: string, login: 'token' | 'AppRole' = 'AppRole'): Record<string, string> {
    return {
      KEY_VAULT: 'vault',
      VAULT_ADDR: this.origin,
      VAULT_NAMESPACE: this.namespace,
      VAULT_TRANSIT_KEY: key,
      ...(login === 'token'
        ? { VAULT_TOKEN: this.staticToken }
        : { VAULT_ROLE_ID: this.role.id, VAULT_SECRET_ID: this.role.secret }),
    };
  }

  count(action: string): number {
    return this.asked.filter(({ path }) => path.includes(action)).length;
  }

  protected override answer(call: Asked): Answered {
    try {
      if (call.headers['x-vault-namespace'] !== this.namespace) throw new TransitError(403, 'permission denied');
      const input = (call.body === '' ? {} : JSON.parse(call.body)) as Input;
      const path = call.path.replace('/v1/', '');
      if (path === 'auth/approle/login') return { status: 200, json: { auth: this.logIn(input) } };
      if (this.hasNoPolicy || !this.tokens.has(String(call.headers['x-vault-token'])))
        throw new TransitError(403, 'permission denied');
      const data = this.perform(call.method, path, input);
      return data ? { status: 200, json: { data } } : { status: 204, json: {} };
    } catch (error) {
      if (!(error instanceof TransitError)) throw error;
      return { status: error.status, json: { errors: [error.message] } };
    }
  }

  private logIn({ role_id, secret_id }: Input): object {
    if (role_id !== this.role.id || secret_id !== this.role.secret) {
      throw new TransitError(400, 'invalid role or secret ID');
    }
    const token = `hvs.${randomBytes(18).toString('base64url')}`;
    this.tokens.add(token);
    return { client_token: token, lease_duration: 2_764_800, renewable: true };
  }

  private perform(method: string, path: string, input: Input): object | null {
    const [, action = '', name = ''] =
      /^transit\/(keys|encrypt|decrypt|rewrap|datakey\/plaintext)\/([^/]+)(?:\/config)?$/.exec(path) ?? [];
    const key = this.keys.get(name);
    if (!key) throw new TransitError(method === 'GET' ? 404 : 400, 'encryption key not found');
    switch (action) {
      case 'keys':
        return method === 'GET' ? describe(key) : this.configure(key, input);
      case 'encrypt':
        return this.encrypt(key, input.plaintext, input.context);
      case 'decrypt':
        return { plaintext: this.decrypt(key, input) };
      case 'rewrap':
        return this.encrypt(key, this.decrypt(key, input), input.context);
      default: {
        const plaintext = randomBytes(input.bits / 8).toString('base64');
        return { plaintext, ...this.encrypt(key, plaintext, input.context) };
      }
    }
  }

  private configure(key: TransitKey, { min_decryption_version }: Input): null {
    key.minimum = min_decryption_version;
    return null;
  }

  private encrypt(key: TransitKey, plaintext: string, context: string | undefined): object {
    this.plaintexts.push(plaintext);
    const version = key.versions.length;
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', keyOf(key, version, context), nonce);
    const text = Buffer.concat([nonce, cipher.update(plaintext, 'base64'), cipher.final(), cipher.getAuthTag()]);
    return { ciphertext: `vault:v${version}:${text.toString('base64')}`, key_version: version };
  }

  private decrypt(key: TransitKey, { ciphertext, context }: Input): string {
    const [, version, text] = /^vault:v(\d+):(.+)$/.exec(ciphertext) ?? [];
    if (version === undefined || text === undefined) throw new TransitError(400, 'invalid ciphertext: no prefix');
    if (Number(version) < key.minimum) {
      throw new TransitError(400, 'ciphertext or signature version is disallowed by policy (too old)');
    }
    const bytes = Buffer.from(text, 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', keyOf(key, Number(version), context), bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(-16));
      const opened = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('base64');
      this.plaintexts.push(opened);
      return opened;
    } catch (error) {
      throw error instanceof TransitError ? error : new TransitError(400, 'cipher: message authentication failed');
    }
  }
}

/** Each context has a key of its own; a key that is not derived ignores contexts. */
function keyOf(key: TransitKey, version: number, context: string | undefined): Buffer {
  const bytes = key.versions[version - 1]?.bytes;
  if (!bytes) throw new TransitError(400, 'invalid ciphertext: version is too new');
  if (!key.derived) return bytes;
  if (!context)
    throw new TransitError(400, "missing 'context' for key derivation; the key was created using a derived key");
  return Buffer.from(hkdfSync('sha256', bytes, Buffer.alloc(0), Buffer.from(context, 'base64'), 32));
}

const describe = ({ versions, minimum, derived }: TransitKey): object => ({
  type: 'aes256-gcm96',
  derived,
  exportable: false,
  latest_version: versions.length,
  min_decryption_version: minimum,
  min_encryption_version: 0,
  keys: Object.fromEntries(versions.map(({ madeAt }, at) => [String(at + 1), madeAt])),
});
