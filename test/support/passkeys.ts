import { randomBytes } from 'node:crypto';
import type { ElevatedScope } from '../../src/auth/index.js';
import { Config } from '../../src/config/index.js';
import { Authenticator } from './authenticator.js';
import { newEmail, type World } from './world.js';

export interface RegistrationOptions {
  challenge: string;
  rp: { id: string; name: string };
  user: { id: string; name: string; displayName: string };
  excludeCredentials: { id: string }[];
  pubKeyCredParams: { alg: number }[];
  authenticatorSelection: Record<string, unknown>;
  attestation: string;
}

export interface SignInOptions {
  challenge: string;
  rpId: string;
  allowCredentials: { id: string; transports: string[] }[];
  userVerification: string;
}

/** A signed-in user with a fresh proof. */
export interface Person {
  email: string;
  userId: string;
  sessionId: string;
  jwt: string;
  elevated: string;
}

export interface Refusal {
  code?: string;
  error?: unknown;
}

/** A site of a tenant, and the people on it. */
export class PasskeySite {
  private constructor(
    readonly world: World,
    readonly origin: string,
    readonly rpId: string,
    readonly environmentId: string = world.environmentId,
  ) {}

  static async register(world: World): Promise<PasskeySite> {
    const rpId = `p${randomBytes(6).toString('hex')}.com`;
    const origin = `https://app.${rpId}`;
    await world.owner.post(world.path('/origins'), { origin }, { expect: 201 });
    return new PasskeySite(world, origin, rpId);
  }

  /** The service's own pages, where members sign in. */
  static ofConsole(world: World): PasskeySite {
    const { origin, hostname } = new URL(world.test.app.get(Config).publicUrl);
    return new PasskeySite(world, origin, hostname, world.ids.consoleEnvironmentId);
  }

  sdk(rest: string): string {
    return this.world.sdk(rest, this.environmentId);
  }

  path(rest = ''): string {
    return this.sdk(`/users/passkeys${rest}`);
  }

  async person(scopes: readonly ElevatedScope[] = ['credential:link', 'credential:unlink']): Promise<Person> {
    const email = newEmail();
    const verificationUUID = await this.world.sendCode(email, this.environmentId);
    const { body } = await this.world.anonymous.post<{
      jwt: string;
      user: { id: string; sessionId: string };
      elevatedAccessToken: string;
    }>(
      this.sdk('/emailVerifications/signin'),
      { verificationUUID, verificationToken: this.world.code(email), requestedScopes: scopes },
      { expect: 200 },
    );
    const { jwt, user, elevatedAccessToken: elevated } = body;
    return { email, userId: user.id, sessionId: user.sessionId, jwt, elevated };
  }

  async creation({ jwt }: Person): Promise<RegistrationOptions> {
    const headers = { origin: this.origin };
    return (
      await this.world.anonymous.get<RegistrationOptions>(this.path('/register'), { token: jwt, headers, expect: 200 })
    ).body;
  }

  store({ jwt, elevated }: Person, body: object) {
    const headers = { origin: this.origin, 'x-elevated-access-token': elevated };
    return this.world.anonymous.post<Refusal & { user: Record<string, unknown> }>(this.path('/register'), body, {
      token: jwt,
      headers,
    });
  }

  /** Gives a person a passkey. */
  async add(person: Person, authenticator = new Authenticator()): Promise<Authenticator> {
    const answer = authenticator.create(await this.creation(person), this);
    const { status, body } = await this.store(person, answer);
    if (status !== 200) throw new Error(`No passkey was added: ${JSON.stringify(body)}`);
    return authenticator;
  }

  async request(person?: Person): Promise<SignInOptions> {
    const path = this.path(person ? '/authenticate' : '/signin');
    const options = { headers: { origin: this.origin }, token: person?.jwt, expect: 200 };
    return (await this.world.anonymous.get<SignInOptions>(path, options)).body;
  }

  signIn(body: object) {
    return this.world.anonymous.post<
      Refusal & { jwt: string; user: { id: string; sessionId: string }; elevatedAccessToken?: string }
    >(this.path('/signin'), body, { headers: { origin: this.origin } });
  }

  list({ jwt }: Pick<Person, 'jwt'>) {
    return this.world.anonymous.get<{ passkeys: Record<string, string>[]; count: number }>(this.path(), {
      token: jwt,
      expect: 200,
    });
  }

  remove({ jwt, elevated }: Person, passkeyId: string) {
    return this.world.anonymous.delete<Refusal>(this.path(), {
      token: jwt,
      body: { passkeyId },
      headers: { 'x-elevated-access-token': elevated },
    });
  }
}
