import { randomInt, randomUUID } from 'node:crypto';
import { startTestApp, type TestApp } from './app.js';
import type { Answer } from './client.js';
import { DoorPeers } from './door-peers.js';
import { issuedToken, trustIssuer } from './external-auth.js';
import { FactorSite } from './factor-site.js';
import { frameSignIn } from './frame.js';
import { newAccount, OauthVisitor } from './oauth-visitor.js';
import { rowsOf } from './rows.js';
import { allowSecondFactors } from './second-factor.js';
import { newPhone } from './sms.js';
import { newLogin, queryOf, userOf } from './telegram.js';
import { keySignIn, newKey } from './wallet-sign-in.js';
import { newEmail, World } from './world.js';

export interface DoorAnswer {
  jwt: string;
  minifiedJwt: string;
  user: { id: string; sessionId: string; verifiedCredentials: object[] };
  elevatedAccessToken?: string;
  code?: string;
  error?: { code?: string };
}

/** A credential of one person, proven anew in each call. */
export interface Credential {
  signIn(more?: object): Promise<Answer<DoorAnswer>>;
}
/** A credential that a signed-in user can also add or prove again. */
export interface Linkable extends Credential {
  link(token: string, more?: object, headers?: Record<string, string>): Promise<Answer<DoorAnswer>>;
}

type Post = (
  path: string,
  body: object,
  token?: string,
  headers?: Record<string, string>,
) => Promise<Answer<DoorAnswer>>;

const SECONDS_AGO = 60;

/** Sign-in methods of an environment that can also be linked to a signed-in user. */
export class LinkDoors {
  private logins = 0;

  constructor(
    readonly world: World,
    protected readonly peers: DoorPeers,
  ) {}

  protected readonly post: Post = (path, body, token, headers) =>
    this.world.anonymous.post<DoorAnswer>(this.world.sdk(path), body, { token, headers });

  /** @param prove returns the proof for each call */
  private at(signIn: string, link: string, prove: () => Promise<object>): Linkable {
    return {
      signIn: async (more = {}) => this.post(signIn, { ...(await prove()), ...more }),
      link: async (token, more = {}, headers = {}) => this.post(link, { ...(await prove()), ...more }, token, headers),
    };
  }

  /** A code just sent to an address. */
  async mailed(address: string): Promise<{ verificationUUID: string; verificationToken: string }> {
    await this.minutePasses();
    const verificationUUID = await this.world.sendCode(address);
    return { verificationUUID, verificationToken: this.world.code(address) };
  }

  /** Messages to one address or number are rate limited. */
  private minutePasses(): Promise<object[]> {
    return rowsOf(this.world.test, "UPDATE code_networks SET last_sent_at = last_sent_at - interval '1 minute'");
  }

  email(address = newEmail()): Linkable {
    return this.at('/emailVerifications/signin', '/emailVerifications/verify', () => this.mailed(address));
  }

  sms(phone = newPhone()): Linkable {
    return this.at('/smsVerifications/signin', '/smsVerifications/verify', async () => {
      await this.minutePasses();
      const path = this.world.sdk('/smsVerifications/create');
      const { body } = await this.world.anonymous.post<{ verificationUUID: string }>(path, phone.body, { expect: 201 });
      return { verificationUUID: body.verificationUUID, verificationToken: this.world.code(phone.e164) };
    });
  }

  wallet(key = newKey(), signIn = '/verify', link = '/verify/link'): Linkable {
    return this.at(signIn, link, () => keySignIn(this.world, key));
  }

  /** Each login is a new one of the account, confirmed a minute ago. */
  telegram(id = newLogin().id): Linkable {
    return this.at('/telegram/signin', '/telegram/verify', async () => {
      this.logins += 1;
      const confirmed = String(Math.floor(Date.now() / 1_000) - SECONDS_AGO);
      return { telegramAuthToken: queryOf(newLogin({ id, username: `ann${this.logins}`, auth_date: confirmed })) };
    });
  }

  /**
   * A login stored at the service under a state, until a signed-in user uses it.
   *
   * @returns a function that presents it, any number of times
   */
  async keptTelegram(id: string): Promise<(token: string) => Promise<Answer<DoorAnswer>>> {
    const state = randomUUID().replaceAll('-', '');
    const page = await this.world.anonymous.get(this.world.sdk(`/telegram/auth?state=${state}`), { expect: 200 });
    const headers = { cookie: page.headers.getSetCookie()[0]!.split(';')[0]! };
    const login = { state, telegramUser: userOf(newLogin({ id })) };
    await this.world.anonymous.post(this.world.sdk('/telegram/auth'), login, { headers, expect: 202 });
    return (token) => this.post('/telegram/verify', { state }, token, headers);
  }

  frame(fid = BigInt(randomInt(1, 2 ** 40))): Linkable {
    const key = this.peers.chain.holder(fid);
    return this.at('/frameapp/signin', '/frameapp/verify', () => frameSignIn(this.world, key, fid));
  }

  oauth(account = newAccount()): Linkable {
    const visit = async () => {
      const visitor = await new OauthVisitor(this.world, this.peers.vendor).begin();
      await visitor.comeBack(account);
      const { code } = (await visitor.result()).body;
      const body = { state: visitor.state, code };
      return { body, headers: { cookie: visitor.cookie } };
    };
    return {
      signIn: async (more = {}) => {
        const { body, headers } = await visit();
        return this.post('/providers/github/signIn', { ...body, ...more }, undefined, headers);
      },
      link: async (token, more = {}, given = {}) => {
        const { body, headers } = await visit();
        return this.post('/providers/github/verify', { ...body, ...more }, token, { ...headers, ...given });
      },
    };
  }
}

/** An environment with every sign-in method, and people identified by each of them. */
export class Doors extends LinkDoors {
  private constructor(
    readonly test: TestApp,
    world: World,
    readonly site: FactorSite,
    peers: DoorPeers,
  ) {
    super(world, peers);
  }

  static async open(): Promise<Doors> {
    const peers = await DoorPeers.start();
    const test = await startTestApp({ env: { ROLE: 'api', ...peers.env } });
    const world = await World.create(test);
    await peers.serve(world);
    await trustIssuer(world);
    await allowSecondFactors(world);
    return new Doors(test, world, await FactorSite.register(world), peers);
  }

  /** The response to a successful sign-in. */
  async enter(credential: Credential, more?: object): Promise<DoorAnswer> {
    const { status, body } = await credential.signIn(more);
    if (status !== 200 || body.code !== undefined) throw new Error(`Nobody was let in: ${status} ${body.code}.`);
    return body;
  }

  giveFactor(rest: string, body: object, token: string): Promise<Answer<DoorAnswer>> {
    return this.post(`/users/mfa/auth/${rest}`, body, token);
  }

  /** A wallet user with a mailed code as second factor, at an address that is older than the session. */
  async withAddress(): Promise<{ wallet: Credential; address: string }> {
    const [wallet, address] = [this.wallet(), newEmail()];
    const { jwt } = await this.enter(wallet);
    const { status } = await this.email(address).link(jwt);
    if (status !== 200) throw new Error(`The address was not added: ${status}.`);
    return { wallet, address };
  }

  async close(): Promise<void> {
    await this.test.close();
    await this.peers.stop();
  }

  /** A passkey of an existing user: passkeys cannot be used for a first sign-in. */
  async passkey(): Promise<Credential> {
    const { passkey } = await this.site.passkeyUser();
    const path = '/users/passkeys/signin';
    return {
      signIn: async (more = {}) => {
        const assertion = passkey.get(await this.site.challenge('signin'), this.site.ceremony);
        return this.post(path, { ...assertion, ...more }, undefined, { origin: this.site.origin });
      },
    };
  }

  external(claims: object = {}): Credential {
    const sub = randomUUID();
    return {
      signIn: async (more = {}) =>
        this.post('/externalAuth/signin', { jwt: await issuedToken({ sub, ...claims }), ...more }),
    };
  }
}
