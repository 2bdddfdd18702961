import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { ApiError } from '../../src/common/errors/index.js';
import {
  LinkFlow,
  OneAnswerMethod,
  SignInMethods,
  type ClaimableIdentifier,
  type Proof,
} from '../../src/identity/index.js';
import type { CredentialKind } from '../../src/identity/linking/decisions.js';
import { Accounts, codeOf, type AccountAnswer } from './accounts.js';
import { Authenticator } from './authenticator.js';
import type { Answer } from './client.js';
import type { TestApp } from './app.js';
import { enableFrames, FrameChain, frameSignIn } from './frame.js';
import { OauthVendor } from './oauth-vendor.js';
import { newAccount, OauthVisitor } from './oauth-visitor.js';
import { PasskeySite, type Person } from './passkeys.js';
import { rowsOf } from './rows.js';
import { enableSms, newPhone } from './sms.js';
import { enableTelegram, newLogin, queryOf } from './telegram.js';
import { keySignIn, newKey } from './wallet-sign-in.js';
import { newEmail, type World } from './world.js';

/** What came of a call. */
export interface Outcome {
  status: number;
  code: string | undefined;
  /** The newest token of the session, where the call answered with one. */
  jwt?: string | undefined;
}
export const outcomeOf = (answer: Answer<AccountAnswer>): Outcome => ({
  status: answer.status,
  code: codeOf(answer),
  jwt: answer.body.jwt,
});

/** A credential that nobody has, and how somebody who is signed in proves it, as often as they like. */
export interface ShownCredential {
  identifier: ClaimableIdentifier;
  link(person: Person): Promise<Outcome>;
  /** Where it can be moved from one user to another. */
  transfer?(person: Person): Promise<Outcome>;
}

/** A way to prove a kind of credential. */
export interface Door {
  name: string;
  kind: CredentialKind;
  fresh(): ShownCredential;
}

/** Shows what a test says. No operation links a subject of an issuer or an id of the team's own: here one would. */
export class ShownMethod extends OneAnswerMethod<ClaimableIdentifier> {
  readonly name = 'shown';
  readonly proves = ['externalUser'] as const;

  override async prove(_environmentId: string, identifier: ClaimableIdentifier): Promise<Proof> {
    return {
      identifiers: [{ identifier, strength: 'proven' }],
      assurance: { amr: ['external'], factor: 'possession', at: new Date() },
      redeem: async () => {},
    };
  }
}

interface DoorParts {
  world: World;
  site: PasskeySite;
  vendor: OauthVendor;
  chain: FrameChain;
  method: ShownMethod;
}

/** What signs people in elsewhere: a vendor and a chain, on loopback. */
export class DoorPeers {
  private constructor(
    private readonly vendor: OauthVendor,
    private readonly chain: FrameChain,
  ) {}

  static async start(): Promise<DoorPeers> {
    return new DoorPeers(await OauthVendor.start(), await FrameChain.start());
  }

  /** For the service that people sign in to. */
  get env(): Record<string, string> {
    const addresses = {
      github: this.vendor.addresses,
      telegram: { api: 'https://widget.example', authorize: 'https://frames.example/' },
    };
    return { EGRESS_ALLOW: '127.0.0.1', PROVIDER_ADDRESSES: JSON.stringify(addresses) };
  }

  /** Opens every way to prove a credential in an environment. Once for a service. */
  async open(test: TestApp, world: World): Promise<{ site: PasskeySite; doors: Map<string, Door> }> {
    const { vendor, chain } = this;
    await chain.serve(world);
    await enableFrames(world);
    await enableSms(world);
    await enableTelegram(world);
    const client = { clientId: 'client', clientSecret: 'secret-of-the-client' };
    const path = world.path('/settings/providers/type/github');
    const { id } = (await world.owner.post<{ id: string }>(path, client, { expect: 201 })).body;
    await world.owner.put(`/settings/providers/${id}/enable`, undefined, { expect: 200 });
    const site = await PasskeySite.register(world);
    const method = new ShownMethod();
    test.app.get(SignInMethods, { strict: false }).register(method);
    const doors = credentialDoors({ world, site, vendor, chain, method });
    return { site, doors: new Map(doors.map((door) => [door.name, door])) };
  }

  async stop(): Promise<void> {
    await this.vendor.stop();
    await this.chain.node.close();
  }
}

function credentialDoors({ world, site, vendor, chain, method }: DoorParts): Door[] {
  const accounts = new Accounts(world);
  const post = async (path: string, { jwt }: Person, body: unknown): Promise<Outcome> =>
    outcomeOf(await accounts.post(path, jwt, body));

  const email: Door = {
    name: 'email',
    kind: 'email',
    fresh: () => {
      const value = newEmail();
      return {
        identifier: { kind: 'email', value },
        link: async ({ jwt }) => outcomeOf(await accounts.verifyEmail(jwt, value)),
      };
    },
  };
  const sms: Door = {
    name: 'sms',
    kind: 'phoneNumber',
    fresh: () => {
      const phone = newPhone();
      const link = async (person: Person): Promise<Outcome> => {
        await rowsOf(world.test, "UPDATE code_networks SET last_sent_at = last_sent_at - interval '1 minute'");
        const path = world.sdk('/smsVerifications/create');
        const sent = await world.anonymous.post<{ verificationUUID: string }>(path, phone.body, { expect: 201 });
        const { verificationUUID } = sent.body;
        return post('/smsVerifications/verify', person, {
          verificationUUID,
          verificationToken: world.code(phone.e164),
        });
      };
      return { identifier: { kind: 'phoneNumber', value: phone.e164 }, link };
    },
  };
  const oauth: Door = {
    name: 'oauth',
    kind: 'socialAccountId',
    fresh: () => {
      const account = newAccount();
      const link = async ({ jwt: token }: Person): Promise<Outcome> => {
        const visitor = await new OauthVisitor(world, vendor).begin();
        await visitor.comeBack(account);
        const { code } = (await visitor.result()).body;
        const headers = { cookie: visitor.cookie };
        const body = { state: visitor.state, code };
        return outcomeOf(await world.anonymous.post<AccountAnswer>(visitor.at('/verify'), body, { token, headers }));
      };
      return { identifier: { kind: 'socialAccountId', provider: 'github', value: String(account.id) }, link };
    },
  };
  const messaging: Door = {
    name: 'messaging network',
    kind: 'socialAccountId',
    fresh: () => {
      const { id } = newLogin();
      // Each login is good once, so no two are the same.
      const login = () => newLogin({ id, username: `u${randomBytes(6).toString('hex')}` });
      return {
        identifier: { kind: 'socialAccountId', provider: 'telegram', value: id },
        link: (person) => post('/telegram/verify', person, { telegramAuthToken: queryOf(login()) }),
      };
    },
  };
  const frames: Door = {
    name: 'frame network',
    kind: 'socialAccountId',
    fresh: () => {
      const fid = BigInt(randomInt(1, 2 ** 40));
      const key = chain.holder(fid);
      return {
        identifier: { kind: 'socialAccountId', provider: 'farcaster', value: String(fid) },
        link: async (person) => post('/frameapp/verify', person, await frameSignIn(world, key, fid)),
      };
    },
  };
  const wallet: Door = {
    name: 'wallet',
    kind: 'wallet',
    fresh: () => {
      const key = newKey();
      return {
        identifier: { kind: 'wallet', value: key.address, chain: 'EVM' },
        link: async (person) => post('/verify/link', person, await keySignIn(world, key)),
        transfer: async (person) => post('/verify/transfer', person, await keySignIn(world, key)),
      };
    },
  };
  const passkey: Door = {
    name: 'passkey',
    kind: 'passkey',
    fresh: () => {
      const authenticator = new Authenticator();
      const link = async (person: Person): Promise<Outcome> => {
        const answer = await site.store(person, authenticator.create(await site.creation(person), site));
        return outcomeOf(answer as unknown as Answer<AccountAnswer>);
      };
      return { identifier: { kind: 'passkey', value: authenticator.id }, link };
    },
  };
  const shown = (kind: 'externalUserId' | 'foreignSubject', more: object = {}): Door => ({
    name: kind,
    kind,
    fresh: () => {
      const identifier = { kind, value: randomUUID(), ...more };
      return { identifier, link: (person) => linked(world, method, person, identifier) };
    },
  });
  const subjects = [shown('externalUserId'), shown('foreignSubject', { issuer: 'https://issuer.example' })];
  return [email, sms, oauth, messaging, frames, wallet, passkey, ...subjects];
}

/** Somebody proves a credential, and goes on with the token of the answer. @throws unless it becomes theirs */
export async function linkTo(person: Person, shown: ShownCredential): Promise<void> {
  const { status, code, jwt } = await shown.link(person);
  if (status !== 200) throw new Error(`A ${shown.identifier.kind} was not linked: ${status} ${code}.`);
  if (jwt) person.jwt = jwt;
}

/** As an operation would that links what the method shows. */
async function linked(
  world: World,
  method: ShownMethod,
  { userId, sessionId, jwt }: Person,
  identifier: ClaimableIdentifier,
): Promise<Outcome> {
  const { environmentId, test } = world;
  const tokenId = decodeJwt(jwt).jti!;
  const caller = {
    kind: 'endUser',
    environmentId,
    userId,
    sessionId,
    scopes: [],
    tokenId,
    tokenUse: 'current',
  } as const;
  const client = { ipAddress: '127.0.0.1', userAgent: null, origin: null };
  const flow = test.app.get(LinkFlow, { strict: false });
  try {
    const answer = await flow.complete(environmentId, caller, method, identifier, { client });
    return { status: 200, code: undefined, jwt: answer.jwt };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, code: error.code };
  }
}
