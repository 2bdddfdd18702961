import { Authenticator } from '../../authenticator.js';
import { newEmail, type SignedIn } from '../../world.js';
import { SIGNED_OUT } from './identity.js';
import { proofOf } from '../fresh-proof.js';
import { keepSite } from '../site.js';
import type { OperationSurface, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

type Person = Pick<SignedIn, 'userId' | 'jwt'>;

const RP_ID = 'passkeys.example';
export const SITE = { origin: `https://${RP_ID}`, rpId: RP_ID };

/** The site for passkeys. */
const onSite = (tenant: Tenant): Promise<void> => keepSite(tenant, SITE.origin);

/** The options from an operation, as requested by a page of the site. */
export async function optionsOf<T>({ world }: Tenant, rest: string, token?: string): Promise<T> {
  const options = { token, headers: { origin: SITE.origin }, expect: 200 };
  return (await world.anonymous.get<T>(world.sdk(`/users/passkeys/${rest}`), options)).body;
}

/** The response of a user's new authenticator; makes room for its passkey. */
async function newPasskey(tenant: Tenant, { userId, jwt }: Person): Promise<{ key: Authenticator; body: object }> {
  await onSite(tenant);
  const passkeys = "DELETE FROM credentials WHERE environment_id = $1 AND user_id = $2 AND format = 'passkey'";
  await tenant.db.query(passkeys, [tenant.world.environmentId, userId]);
  const key = new Authenticator();
  const options = await optionsOf<{ challenge: string; user: { id: string } }>(tenant, 'register', jwt);
  return { key, body: key.create(options, SITE) };
}

export async function storedPasskey(tenant: Tenant, person: Person): Promise<{ key: Authenticator; id: string }> {
  const { world } = tenant;
  const { key, body } = await newPasskey(tenant, person);
  const headers = { origin: SITE.origin, ...(await proofOf(world, person.jwt)) };
  const path = world.sdk('/users/passkeys');
  await world.anonymous.post(`${path}/register`, body, { token: person.jwt, headers, expect: 200 });
  const options = { token: person.jwt, expect: 200 };
  const { body: known } = await world.anonymous.get<{ passkeys: { id: string }[] }>(path, options);
  return { key, id: known.passkeys[0]!.id };
}

const beginning: OperationSurface = {
  request: async (tenant) => {
    await onSite(tenant);
    return {};
  },
};

/** The access suite's callers are different users, and the request needs data of the tenant's end user. */
const notTheirs = (status: number): OperationSurface['callers'] => ({
  'an end user': [status],
  'an end user with the minified token': [status],
});

export const surface: Surface = {
  operations: {
    updatePasskey: {
      request: async (tenant) => ({
        body: { id: (await storedPasskey(tenant, tenant.endUser)).id, alias: 'My phone' },
      }),
      untold: 'a name for people, which nothing depends on',
      callers: notTheirs(404),
    },
    deletePasskey: {
      request: async (tenant) => ({ body: { passkeyId: (await storedPasskey(tenant, tenant.endUser)).id } }),
      fittingRecords: () => ({}),
      callers: notTheirs(422),
      toldSometimes: SIGNED_OUT,
    },
    getPasskeyRegistrationOptions: beginning,
    getPasskeyAuthenticationOptions: beginning,
    getPasskeyAuthenticationSigninOptions: beginning,
    registerPasskey: {
      request: async (tenant) => ({ body: (await newPasskey(tenant, tenant.endUser)).body }),
      callers: notTheirs(422),
      toldSometimes: SIGNED_OUT,
    },
    signinWithPasskey: {
      request: async (tenant) => {
        const { key } = await storedPasskey(tenant, await tenant.world.signIn(newEmail()));
        return { body: key.get(await optionsOf(tenant, 'signin'), SITE) };
      },
      toldSometimes: { 'user.session.revoked': 'when the user has as many sessions as there may be' },
    },
  },
};
