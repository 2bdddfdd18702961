/** What the bare server is told before it listens: the same database, and the keys the service has. */
export interface BareSetup {
  readonly databaseUrl: string;
  /** Connections to PostgreSQL; as many as the service has. */
  readonly pool: number;
  readonly environmentId: string;
  /** The signing key of the environment: PKCS #8 PEM and the id in JWKS. */
  readonly privateKey: string;
  readonly kid: string;
  readonly issuer: string;
  /** Hexadecimal key of the HMAC over one-time codes. */
  readonly codeKey: string;
  /** Where codes of OAuth are redeemed, when people come in that way. */
  readonly provider?: BareProvider;
}

export interface BareProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** SPKI PEM of the key that signs its tokens. */
  readonly publicKey: string;
}

export const BARE_SETUP = Symbol('bare setup');
