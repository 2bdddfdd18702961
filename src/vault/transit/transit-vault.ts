import type { Clock } from '../../common/clock.js';
import { DATA_KEY_BYTES, KeyVault, type NewDataKey, type WrappedKey } from '../key-vault.js';
import { additionalData, type SealContext } from '../seal-context.js';
import { SecretBytes } from '../secret-bytes.js';
import { KeyRingError, SealedBlobError } from '../vault.errors.js';
import { bytesIn } from '../remote/vault-link.js';
import type { TransitClient } from './transit-client.js';

export interface TransitKey {
  /** Mount path of the engine. */
  readonly mount: string;
  readonly name: string;
}

/** The engine's description of a key. */
interface KeyState {
  readonly latest: number;
  readonly minimum: number;
  /** Creation time of the latest version; null if the engine does not report it. */
  readonly madeAt: Date | null;
}

/** Version of the context encoding. */
const WRAP_VERSION = 1;
const CIPHERTEXT = /^vault:v([1-9]\d{0,8}):([A-Za-z0-9+/]+=*)$/;
const AEAD_TYPES: ReadonlySet<unknown> = new Set(['aes128-gcm96', 'aes256-gcm96', 'chacha20-poly1305']);

/**
 * A data key wrapped under the previous version may not be stored yet. Five minutes are far beyond the life of any
 * request or job.
 */
const SETTLING_MS = 5 * 60_000;

/**
 * One key of the transit engine of HashiCorp Vault. It must be derived: the engine then encrypts under a separate key
 * for each context, and would otherwise ignore the context. Rows name the key version.
 */
export class TransitVault extends KeyVault {
  private constructor(
    private readonly key: TransitKey,
    private readonly client: TransitClient,
    private readonly clock: Clock,
    private version: number,
  ) {
    super();
  }

  /** @throws KeyRingError for a key that does not bind contexts, KeyVaultUnavailableError */
  static async open(key: TransitKey, client: TransitClient, clock: Clock): Promise<TransitVault> {
    const { latest } = await readState(key, client);
    return new TransitVault(key, client, clock, latest);
  }

  /** The latest version this process has seen: Vault uses a new version as soon as the key is rotated. */
  get currentKeyId(): string {
    return this.keyIdOf(this.version);
  }

  override async newDataKey(context: SealContext): Promise<NewDataKey> {
    const data = await this.write('datakey/plaintext', { context: contextOf(context), bits: 8 * DATA_KEY_BYTES });
    return { wrapped: this.wrappedOf(data), dataKey: this.dataKeyOf(data) };
  }

  async wrap(dataKey: SecretBytes, context: SealContext): Promise<WrappedKey> {
    const plaintext = dataKey.expose().toString('base64');
    return this.wrappedOf(await this.write('encrypt', { context: contextOf(context), plaintext }));
  }

  async unwrap(wrapped: WrappedKey, context: SealContext): Promise<SecretBytes> {
    const ciphertext = this.ciphertextOf(wrapped);
    return this.dataKeyOf(await this.write('decrypt', { context: contextOf(context), ciphertext }));
  }

  async rewrap(wrapped: WrappedKey, context: SealContext): Promise<WrappedKey> {
    const ciphertext = this.ciphertextOf(wrapped);
    return this.wrappedOf(await this.write('rewrap', { context: contextOf(context), ciphertext }));
  }

  /** @throws KeyRingError if the key was rotated recently or in the meantime; nothing has changed then */
  async retireOlderKeys(): Promise<string> {
    const { latest, minimum, madeAt } = await readState(this.key, this.client);
    if (latest !== this.version) throw new KeyRingError('The key was rotated meanwhile: rewrap once more.');
    if (minimum === latest) return `Vault decrypts no version below ${latest}.`;
    const hasSettled = madeAt !== null && madeAt.getTime() + SETTLING_MS <= this.clock.timestamp();
    if (!hasSettled) {
      throw new KeyRingError(
        'The key was rotated less than five minutes ago: what is being stored now may be under the version before. Run it again later.',
      );
    }
    await this.write('config', { min_decryption_version: latest });
    return `Vault decrypts no version below ${latest} any more.`;
  }

  override close(): Promise<void> {
    return this.client.close();
  }

  private keyIdOf(version: number): string {
    return `${this.prefix}${version}`;
  }

  private get prefix(): string {
    return `vault:${this.key.mount}/${this.key.name}:v`;
  }

  private async write(
    action: 'config' | 'datakey/plaintext' | 'decrypt' | 'encrypt' | 'rewrap',
    input: object,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { mount, name } = this.key;
    const path = action === 'config' ? `${mount}/keys/${name}/config` : `${mount}/${action}/${name}`;
    const { status, body } = await this.client.call('POST', path, input);
    if (status === 200 || status === 204) {
      this.client.answered();
      return (body['data'] ?? {}) as Record<string, unknown>;
    }
    const refusal = 'ciphertext' in input && status === 400 ? refusalOf(body) : null;
    if (refusal === null) return this.client.fail(`refused ${action} (${status})`);
    this.client.answered();
    throw refusal;
  }

  private wrappedOf(data: Readonly<Record<string, unknown>>): WrappedKey {
    const text = data['ciphertext'];
    const [, version, base64] = (typeof text === 'string' && CIPHERTEXT.exec(text)) || [];
    const bytes = bytesIn(base64);
    if (version === undefined || bytes === null) return this.client.fail('gave no ciphertext');
    this.version = Math.max(this.version, Number(version));
    return { keyId: this.keyIdOf(Number(version)), bytes };
  }

  private dataKeyOf(data: Readonly<Record<string, unknown>>): SecretBytes {
    const bytes = bytesIn(data['plaintext']);
    if (bytes?.length !== DATA_KEY_BYTES) return this.client.fail('gave no data key');
    return SecretBytes.from(bytes);
  }

  private ciphertextOf({ keyId, bytes }: WrappedKey): string {
    const version = keyId.startsWith(this.prefix) ? keyId.slice(this.prefix.length) : '';
    if (!/^[1-9]\d{0,8}$/.test(version)) throw new SealedBlobError('unknown-key');
    return `vault:v${version}:${bytes.toString('base64')}`;
  }
}

const contextOf = (context: SealContext): string => additionalData(context, WRAP_VERSION).toString('base64');

/**
 * The error for a 400 about the ciphertext; null if it is about the key, which is a configuration error, or not from
 * Vault, which always says why: a proxy that answers in its place has not looked at the ciphertext.
 */
function refusalOf(body: Readonly<Record<string, unknown>>): SealedBlobError | null {
  const errors: unknown[] = Array.isArray(body['errors']) ? body['errors'] : [];
  if (errors.length === 0) return null;
  const said = errors.filter((error) => typeof error === 'string').join(' ');
  if (/key not found/i.test(said)) return null;
  return new SealedBlobError(
    /too old|invalid version|version is disallowed/i.test(said) ? 'unknown-key' : 'not-authentic',
  );
}

async function readState({ mount, name }: TransitKey, client: TransitClient): Promise<KeyState> {
  const { status, body } = await client.call('GET', `${mount}/keys/${name}`);
  const data = (body['data'] ?? {}) as Readonly<Record<string, unknown>>;
  const { latest_version: latest, min_decryption_version: minimum, derived, type } = data;
  if (status !== 200 || !isVersion(latest) || !isVersion(minimum)) {
    return client.fail(`did not describe the transit key (${status})`);
  }
  if (derived !== true || !AEAD_TYPES.has(type)) {
    throw new KeyRingError(
      `The transit key ${name} does not bind what it encrypts to its row: make one with derived=true and type=aes256-gcm96.`,
    );
  }
  client.answered();
  return { latest, minimum, madeAt: madeAt((data['keys'] as Record<string, unknown> | undefined)?.[String(latest)]) };
}

const isVersion = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** For symmetric keys, seconds since the Unix epoch. */
const madeAt = (value: unknown): Date | null => (typeof value === 'number' ? new Date(value * 1_000) : null);
