import { Authenticator } from './authenticator.js';
import type { Answer } from './client.js';
import { PasskeySite, type Person } from './passkeys.js';
import type { World } from './world.js';

export interface FactorAnswer {
  jwt: string;
  mfaToken?: string;
  elevatedAccessToken?: string;
  code?: string;
}
interface Begun {
  id: string;
  registration: { challenge: string; user: { id: string } };
  code?: string;
}

/** A passkey that is a second factor, and the session in which it was registered. */
export interface Factor {
  key: Authenticator;
  id: string;
  jwt: string;
}

/** A site on which people register passkeys as second factors. */
export class FactorSite {
  private constructor(private readonly site: PasskeySite) {}

  static async register(world: World): Promise<FactorSite> {
    return new FactorSite(await PasskeySite.register(world));
  }

  /** The service's own pages, where members register theirs. */
  static ofConsole(world: World): FactorSite {
    return new FactorSite(PasskeySite.ofConsole(world));
  }

  get origin(): string {
    return this.site.origin;
  }

  get rpId(): string {
    return this.site.rpId;
  }

  get ceremony(): { origin: string; rpId: string } {
    return { origin: this.origin, rpId: this.rpId };
  }

  private get world(): World {
    return this.site.world;
  }

  begin(token: string): Promise<Answer<Begun>> {
    return this.world.anonymous.get<Begun>(this.site.sdk('/users/mfa/register/passkey'), {
      token,
      headers: { origin: this.origin },
    });
  }

  /** The browser's response, in the format of this operation. */
  answerTo({ id, registration }: Begun, key: Authenticator): object {
    const { response, ...made } = key.create(registration, this.ceremony);
    const { clientDataJson: clientDataJSON, attestationObject } = response;
    return { id, attestation: { ...made, response: { clientDataJSON, attestationObject } } };
  }

  finish(body: object, token: string): Promise<Answer<FactorAnswer>> {
    return this.world.anonymous.post<FactorAnswer>(this.site.sdk('/users/mfa/register/passkey'), body, {
      token,
      headers: { origin: this.origin },
    });
  }

  async add(token: string): Promise<Factor> {
    const key = new Authenticator();
    const { status: begunWith, body: begun } = await this.begin(token);
    if (begunWith !== 200) throw new Error(`No second factor was begun: ${JSON.stringify(begun)}`);
    const { status, body } = await this.finish(this.answerTo(begun, key), token);
    if (status !== 200) throw new Error(`No second factor was added: ${JSON.stringify(body)}`);
    return { key, id: begun.id, jwt: body.jwt };
  }

  async challenge<T = { challenge: string }>(kind: 'authenticate' | 'signin' | 'register', token?: string): Promise<T> {
    const options = { token, headers: { origin: this.origin }, expect: 200 };
    return (await this.world.anonymous.get<T>(this.site.path(`/${kind}`), options)).body;
  }

  send(assertion: object, token: string): Promise<Answer<FactorAnswer>> {
    return this.world.anonymous.post<FactorAnswer>(this.site.sdk('/users/mfa/auth/passkey'), assertion, {
      token,
      headers: { origin: this.origin },
    });
  }

  async give({ key }: Pick<Factor, 'key'>, token: string, more: object = {}): Promise<Answer<FactorAnswer>> {
    const assertion = key.get(await this.challenge('authenticate', token), this.ceremony);
    return this.send({ ...assertion, ...more }, token);
  }

  signIn(assertion: object) {
    return this.site.signIn(assertion);
  }

  person(): Promise<Person> {
    return this.site.person();
  }

  /** Registers a passkey to sign in with, with more in the request. */
  async store(person: Person, more: object, key = new Authenticator()): Promise<Answer<FactorAnswer>> {
    const answer = key.create(await this.site.creation(person), this.ceremony);
    return this.world.anonymous.post<FactorAnswer>(
      this.site.path('/register'),
      { ...answer, ...more },
      { token: person.jwt, headers: { origin: this.origin, 'x-elevated-access-token': person.elevated } },
    );
  }

  /** Somebody with a passkey to sign in with. */
  async passkeyUser(): Promise<{ passkey: Authenticator; jwt: string; email: string }> {
    const person = await this.site.person();
    return { passkey: await this.site.add(person), jwt: person.jwt, email: person.email };
  }
}
