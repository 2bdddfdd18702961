/** The setup of the bare server: the service's database and keys. */
export interface BareSetup {
  readonly databaseUrl: string;
  /** PostgreSQL connections; the same number as in the service. */
  readonly pool: number;
  readonly environmentId: string;
  /** The environment's signing key: PKCS #8 PEM, and its id in the JWKS. */
  readonly privateKey: string;
  readonly kid: string;
  readonly issuer: string;
  /** Hexadecimal HMAC key for one-time codes. */
  readonly codeKey: string;
  /** Where OAuth codes are redeemed, if that sign-in is measured. */
  readonly provider?: BareProvider;
}

export interface BareProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** SPKI PEM of the provider's token signing key. */
  readonly publicKey: string;
}

export const BARE_SETUP = Symbol('bare setup');
