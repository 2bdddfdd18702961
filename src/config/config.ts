import { join } from 'node:path';
import { assertAddresses } from './addresses.js';
import { ConfigError } from './setting.js';
import { SETTINGS, type SettingName, type SettingValues } from './settings.js';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Connections to PostgreSQL by role. A worker sends a few large statements, an API instance many small ones. */
const POOLS = { all: 15, api: 10, worker: 5, signer: 2 } as const;

/** Limit for socket paths in bytes: systems allow slightly more, and truncate or refuse longer ones. */
const SOCKET_LENGTH = 100;

/** Minimum length of SIGNER_SECRET. */
const SECRET_LENGTH = 32;

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of this process, read and validated once. Nothing else in src reads `process.env`. */
export class Config {
  private constructor(
    private readonly values: SettingValues,
    private readonly texts: Environment,
  ) {}

  /** @throws ConfigError with one line, for the first invalid setting */
  static load(environment: Environment = process.env): Config {
    const isProduction = Config.meansProduction(environment);
    const values = Object.fromEntries(
      Object.entries(SETTINGS).map(([name, setting]) => [name, read(name, setting, environment[name], isProduction)]),
    ) as unknown as SettingValues; // each value was made by the reader of its own name
    const config = new Config(values, environment);
    if (isProduction) config.assertProduction();
    assertAddresses(values);
    config.assertStripe();
    config.assertSigner();
    return config;
  }

  /** Works before the other settings are read, and when they are invalid. Ignores surrounding whitespace, as they do. */
  static meansProduction(environment: Environment = process.env): boolean {
    return environment['NODE_ENV']?.trim() === 'production';
  }

  get<N extends SettingName>(name: N): SettingValues[N] {
    return this.values[name];
  }

  /** A copy with some settings replaced, such as an address that became known at start. */
  with(changes: Partial<SettingValues>): Config {
    return new Config({ ...this.values, ...changes }, this.texts);
  }

  /** The original text of variables, for a child process. */
  textsOf(names: readonly string[]): Record<string, string> {
    return Object.fromEntries(names.flatMap((name) => (this.texts[name] ? [[name, this.texts[name]]] : [])));
  }

  get isProduction(): boolean {
    return this.values.NODE_ENV === 'production';
  }

  /** Whether this instance accepts requests from clients. */
  get answersRequests(): boolean {
    return this.values.ROLE !== 'worker';
  }

  get runsJobs(): boolean {
    return this.values.ROLE !== 'api';
  }

  /** Whether the local vault is used, so that this process holds master keys. */
  get keepsMasterKey(): boolean {
    return this.values.KEY_VAULT.includes('local');
  }

  /** Connections to PostgreSQL, at most. */
  get databasePool(): number {
    return this.values.DATABASE_POOL ?? POOLS[this.values.ROLE];
  }

  /** The path of the socket on which a standalone signer listens. */
  get signerSocket(): string {
    return this.values.SIGNER_SOCKET ?? join(this.values.DATA_DIR, 'signer', 'signer.sock');
  }

  /** The URL at which clients reach the service, without a trailing slash. */
  get publicUrl(): string {
    return (this.values.PUBLIC_URL ?? `http://localhost:${this.values.PORT}`).replace(/\/+$/, '');
  }

  /** What webhooks may reach besides public https. */
  get egressAllow(): string {
    return this.values.EGRESS_ALLOW ?? (this.isProduction ? '' : 'localhost, 127.0.0.0/8, ::1');
  }

  private assertStripe(): void {
    const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL } = this.values;
    if (STRIPE_SECRET_KEY && !STRIPE_WEBHOOK_SECRET) {
      throw new ConfigError(
        'STRIPE_WEBHOOK_SECRET is missing: with STRIPE_SECRET_KEY it is needed to verify messages from Stripe.',
      );
    }
    if (STRIPE_WEBHOOK_SECRET && !STRIPE_SECRET_KEY) {
      throw new ConfigError('STRIPE_SECRET_KEY is missing: STRIPE_WEBHOOK_SECRET is set, but payments need both.');
    }
    if (!isStripeAddress(STRIPE_API_URL)) {
      throw new ConfigError(
        `STRIPE_API_URL must be https://host or a loopback address (seen: ${JSON.stringify(STRIPE_API_URL)}).`,
      );
    }
  }

  private assertSigner(): void {
    const { ROLE, SIGNER, SIGNER_SECRET, SIGNER_DATABASE_URL, SIGNER_READS_KEYS } = this.values;
    if (ROLE !== 'signer' && SIGNER_DATABASE_URL !== null) {
      throw new ConfigError(
        'SIGNER_DATABASE_URL is for ROLE=signer only: it gives access to sealed keys, which instances must not have.',
      );
    }
    if (ROLE !== 'signer' && SIGNER_READS_KEYS && SIGNER !== 'socket') {
      throw new ConfigError(
        'SIGNER_READS_KEYS is true: that needs SIGNER=socket, since any other signer uses the database role of its instance.',
      );
    }
    if ((ROLE === 'signer' || SIGNER === 'socket') && Buffer.byteLength(this.signerSocket) > SOCKET_LENGTH) {
      throw new ConfigError(
        `SIGNER_SOCKET must be a path of at most ${SOCKET_LENGTH} characters (seen: ${JSON.stringify(this.signerSocket)}).`,
      );
    }
    if (SIGNER === 'socket' && SIGNER_SECRET === null) {
      throw new ConfigError(
        'SIGNER_SECRET is missing: SIGNER=socket needs the secret that the signer was started with.',
      );
    }
    if (SIGNER_SECRET !== null && SIGNER_SECRET.length < SECRET_LENGTH) {
      throw new ConfigError(`SIGNER_SECRET must have at least ${SECRET_LENGTH} characters.`);
    }
  }

  private assertProduction(): void {
    if (this.keepsMasterKey && !this.values.MASTER_KEY) {
      throw new ConfigError(
        'MASTER_KEY is missing: production needs it, or another KEY_VAULT, to protect stored secrets; generate one with: npm run cli -- keys generate',
      );
    }
    // A signer needs no DATABASE_URL and no PUBLIC_URL.
    if (this.values.ROLE === 'signer') return;
    if (!this.values.DATABASE_URL) {
      throw new ConfigError('DATABASE_URL is missing: production needs an external PostgreSQL server.');
    }
    if (!this.values.PUBLIC_URL) {
      throw new ConfigError(
        'PUBLIC_URL is missing: production needs the address that clients use; tokens and links contain it.',
      );
    }
    if (this.values.TIMING_SCALE !== 1) {
      throw new ConfigError('TIMING_SCALE is for tests only: in production remove it.');
    }
    if (this.values.SEED) {
      throw new ConfigError('SEED is true: the quick-start data is for development only; in production remove it.');
    }
  }
}

/** The secret key is sent to this address, so plain http is allowed only on loopback. */
function isStripeAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.pathname !== '/' || url.search || url.hash || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
}

function read(
  name: string,
  setting: (typeof SETTINGS)[SettingName],
  text: string | undefined,
  isProduction: boolean,
): unknown {
  try {
    return setting.read(text, isProduction);
  } catch (error) {
    const seen = 'secret' in setting && setting.secret ? '' : ` (seen: ${JSON.stringify(text)})`;
    throw new ConfigError(`${name} ${(error as Error).message}${seen}.`);
  }
}
