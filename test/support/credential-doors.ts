import { randomInt, randomUUID } from 'node:crypto';
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
import { codeOf, type AnyAnswer } from './accounts.js';
import { Authenticator } from './authenticator.js';
import type { Answer } from './client.js';
import type { DoorPeers } from './door-peers.js';
import { LinkDoors, type Linkable } from './doors.js';
import { newAccount } from './oauth-visitor.js';
import { PasskeySite, type Person } from './passkeys.js';
import { newPhone } from './sms.js';
import { newLogin } from './telegram.js';
import { newKey } from './wallet-sign-in.js';
import { newEmail, type World } from './world.js';

/** The result of a call. */
export interface Outcome {
  status: number;
  code: string | undefined;
  /** The newest token of the session, if the response contained one. */
  jwt?: string | undefined;
}
export const outcomeOf = (answer: Answer<AnyAnswer>): Outcome => ({
  status: answer.status,
  code: codeOf(answer),
  jwt: answer.body.jwt,
});

/** A credential that belongs to nobody, and how a signed-in user proves it, any number of times. */
export interface ShownCredential {
  identifier: ClaimableIdentifier;
  link(person: Person): Promise<Outcome>;
  /** For credentials that can be moved between users. */
  transfer?(person: Person): Promise<Outcome>;
}

/** A way to prove a kind of credential. */
export interface Door {
  name: string;
  kind: CredentialKind;
  fresh(): ShownCredential;
}

/** Presents what a test specifies: no operation links an issuer's subject or the team's own id. */
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

/** Enables every way to prove a credential in an environment, served by the peers. Once per service. */
export async function openCredentialDoors(
  peers: DoorPeers,
  world: World,
): Promise<{ site: PasskeySite; doors: Map<string, Door> }> {
  await peers.serve(world);
  const site = await PasskeySite.register(world);
  const method = new ShownMethod();
  world.test.app.get(SignInMethods, { strict: false }).register(method);
  const doors = [...linkDoors(new LinkDoors(world, peers)), passkeyDoor(site), ...shownDoors(world, method)];
  return { site, doors: new Map(doors.map((door) => [door.name, door])) };
}

function linkDoors(doors: LinkDoors): Door[] {
  const shown = (identifier: ClaimableIdentifier, by: Linkable): ShownCredential => ({
    identifier,
    link: async ({ jwt }) => outcomeOf(await by.link(jwt)),
  });
  const social = (provider: string, value: string, by: Linkable): ShownCredential =>
    shown({ kind: 'socialAccountId', provider, value }, by);
  const fresh: Record<string, [CredentialKind, () => ShownCredential]> = {
    email: [
      'email',
      () => {
        const value = newEmail();
        return shown({ kind: 'email', value }, doors.email(value));
      },
    ],
    sms: [
      'phoneNumber',
      () => {
        const phone = newPhone();
        return shown({ kind: 'phoneNumber', value: phone.e164 }, doors.sms(phone));
      },
    ],
    oauth: [
      'socialAccountId',
      () => {
        const account = newAccount();
        return social('github', String(account.id), doors.oauth(account));
      },
    ],
    'messaging network': [
      'socialAccountId',
      () => {
        const { id } = newLogin();
        return social('telegram', id, doors.telegram(id));
      },
    ],
    'frame network': [
      'socialAccountId',
      () => {
        const fid = BigInt(randomInt(1, 2 ** 40));
        return social('farcaster', String(fid), doors.frame(fid));
      },
    ],
    wallet: [
      'wallet',
      () => {
        const key = newKey();
        const moved = doors.wallet(key, '/verify', '/verify/transfer');
        return {
          ...shown({ kind: 'wallet', value: key.address, chain: 'EVM' }, doors.wallet(key)),
          transfer: async ({ jwt }) => outcomeOf(await moved.link(jwt)),
        };
      },
    ],
  };
  return Object.entries(fresh).map(([name, [kind, make]]) => ({ name, kind, fresh: make }));
}

const passkeyDoor = (site: PasskeySite): Door => ({
  name: 'passkey',
  kind: 'passkey',
  fresh: () => {
    const authenticator = new Authenticator();
    const link = async (person: Person): Promise<Outcome> =>
      outcomeOf(await site.store(person, authenticator.create(await site.creation(person), site)));
    return { identifier: { kind: 'passkey', value: authenticator.id }, link };
  },
});

const shownDoors = (world: World, method: ShownMethod): Door[] =>
  [{ kind: 'externalUserId' as const }, { kind: 'foreignSubject' as const, issuer: 'https://issuer.example' }].map(
    (about) => ({
      name: about.kind,
      kind: about.kind,
      fresh: () => {
        const identifier = { ...about, value: randomUUID() };
        return { identifier, link: (person) => linked(world, method, person, identifier) };
      },
    }),
  );

/** Proves a credential, and continues with the token of the response. @throws unless the user gets it */
export async function linkTo(person: Person, shown: ShownCredential): Promise<void> {
  const { status, code, jwt } = await shown.link(person);
  if (status !== 200) throw new Error(`A ${shown.identifier.kind} was not linked: ${status} ${code}.`);
  if (jwt) person.jwt = jwt;
}

/** Does what an operation would that links the presented credential. */
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
