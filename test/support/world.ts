import { randomBytes } from 'node:crypto';
import { TOKEN_SCOPES, type EnvironmentId, type TokenScope } from '../../src/auth/index.js';
import { provision, type Provisioned } from '../../src/provisioning/index.js';
import { ApiTokensService, PersonalTokensService } from '../../src/organizations/index.js';
import { DevInbox } from '../../src/providers/index.js';
import type { TestApp } from './app.js';
import { TestClient } from './client.js';

export interface SignedIn {
  email: string;
  userId: string;
  sessionId: string;
  jwt: string;
  minifiedJwt: string;
  headers: Headers;
  body: { user: Record<string, unknown>; expiresAt: string; jwt?: string; minifiedJwt?: string };
}

/** Well within the five minutes for which a proof is valid. */
const SESSION_MS = 200_000;

/** A test's own tenant: nothing is shared, so nothing needs cleaning up, and every test exercises isolation. */
export class World {
  private readonly sessions = new Map<string, { signedIn: Promise<SignedIn>; until: number }>();

  private constructor(
    readonly test: TestApp,
    readonly ids: Provisioned,
    readonly ownerEmail: string,
    /** An API token of the sandbox with all scopes. */
    readonly token: string,
    /** The owner's personal token. */
    readonly ownerToken: string,
  ) {}

  static async create(test: TestApp): Promise<World> {
    const name = randomBytes(6).toString('hex');
    const ownerEmail = `owner-${name}@example.com`;
    const ids = await provision(test.app, { organization: `Org ${name}`, project: `Project ${name}`, ownerEmail });
    const token = await mintToken(test, ids.ownerUserId, ids.environments.sandbox, TOKEN_SCOPES.values);
    const personal = await test.app
      .get(PersonalTokensService)
      .mint(ids.consoleEnvironmentId, ids.ownerUserId, { note: 'test' });
    return new World(test, ids, ownerEmail, token, personal.rawToken);
  }

  get environmentId(): EnvironmentId {
    return this.ids.environments.sandbox;
  }

  /** Calls with the sandbox's API token. */
  get api(): TestClient {
    return new TestClient(this.test.url, this.token);
  }

  /** Calls with the owner's personal token, or with a console session for calls that require a proof. */
  get owner(): TestClient {
    return this.member({ token: this.ownerToken, email: this.ownerEmail });
  }

  /** The same for any member. */
  member({ token, email }: { token: string; email: string }): TestClient {
    return new TestClient(this.test.url, token, () => this.provenSession(email));
  }

  /** A console session begun in the last minutes, so that it counts as a proof. */
  async provenSession(email: string = this.ownerEmail): Promise<string> {
    return (await this.provenSignIn(email)).jwt;
  }

  /** The sign-in that began such a session. */
  provenSignIn(email: string = this.ownerEmail): Promise<SignedIn> {
    const known = this.sessions.get(email);
    if (known && known.until > Date.now()) return known.signedIn;
    const signedIn = this.signIn(email, { environmentId: this.ids.consoleEnvironmentId });
    this.sessions.set(email, { signedIn, until: Date.now() + SESSION_MS });
    signedIn.catch(() => this.sessions.delete(email));
    return signedIn;
  }

  /** Calls with a new console session of the owner. */
  async ownerSession(): Promise<TestClient> {
    const { jwt } = await this.signIn(this.ownerEmail, { environmentId: this.ids.consoleEnvironmentId });
    return new TestClient(this.test.url, jwt);
  }

  /** Calls without a credential. */
  get anonymous(): TestClient {
    return new TestClient(this.test.url);
  }

  mint(scopes: readonly TokenScope[], environmentId: EnvironmentId = this.environmentId): Promise<string> {
    return mintToken(this.test, this.ids.ownerUserId, environmentId, scopes);
  }

  /** The path of a sandbox operation outside `/sdk`. */
  path(rest: string): string {
    return `/environments/${this.environmentId}${rest}`;
  }

  /** The path of a client-facing sandbox operation. */
  sdk(rest: string, environmentId: string = this.environmentId): string {
    return `/sdk/${environmentId}${rest}`;
  }

  /** The last code sent to an address. */
  code(email: string): string {
    const entry = this.test.app.get(DevInbox).entries.find(({ to }) => to === email);
    if (!entry?.code) throw new Error(`No code was sent to ${email}.`);
    return entry.code;
  }

  async sendCode(email: string, environmentId: string = this.environmentId): Promise<string> {
    const { body } = await this.anonymous.post<{ verificationUUID: string }>(
      this.sdk('/emailVerifications/create', environmentId),
      { email },
      { expect: 201 },
    );
    return body.verificationUUID;
  }

  async signIn(
    email: string,
    options: { environmentId?: string; headers?: Record<string, string>; sessionPublicKey?: string } = {},
  ): Promise<SignedIn> {
    const verificationUUID = await this.sendCode(email, options.environmentId);
    const { body, headers } = await this.anonymous.post<SignedIn['body']>(
      this.sdk('/emailVerifications/signin', options.environmentId),
      {
        verificationUUID,
        verificationToken: this.code(email),
        ...(options.sessionPublicKey && { sessionPublicKey: options.sessionPublicKey }),
      },
      { expect: 200, headers: options.headers },
    );
    return {
      email,
      userId: body.user['id'] as string,
      sessionId: body.user['sessionId'] as string,
      jwt: body.jwt ?? '',
      minifiedJwt: body.minifiedJwt ?? '',
      headers,
      body,
    };
  }
}

async function mintToken(
  test: TestApp,
  createdBy: string,
  environmentId: EnvironmentId,
  scopes: readonly TokenScope[],
): Promise<string> {
  const minted = await test.app
    .get(ApiTokensService)
    .mint(environmentId, { note: 'test', scopes: [...scopes], createdBy });
  return minted.rawToken;
}

/** A unique address. */
export const newEmail = (): string => `user-${randomBytes(8).toString('hex')}@example.com`;
