import { Authenticator } from '../../authenticator.js';
import type { OperationSurface, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const RP_ID = 'passkeys.example';
const SITE = { origin: `https://${RP_ID}`, rpId: RP_ID };
const BEGUN = 'a challenge waits and nothing has changed; published when it is answered';
const ASKS_FOR_EACH_OTHER = /^response/;

/** The site that passkeys are made on, registered once for each tenant. */
async function onSite({ db, world }: Tenant): Promise<void> {
  await db.query(
    'INSERT INTO origins (environment_id, id, origin) VALUES ($1, gen_random_uuid(), $2) ON CONFLICT DO NOTHING',
    [world.environmentId, SITE.origin],
  );
}

/** Options of an operation, as a page of the site gets them. */
async function optionsOf<T>({ world, endUser }: Tenant, rest: string): Promise<T> {
  const headers = { origin: SITE.origin };
  const options = { token: endUser.jwt, headers, expect: 200 };
  return (await world.anonymous.get<T>(world.sdk(`/users/passkeys/${rest}`), options)).body;
}

/** What a new authenticator of the tenant's end user answers; room is made for its passkey. */
async function newPasskey(tenant: Tenant): Promise<{ authenticator: Authenticator; body: object }> {
  await onSite(tenant);
  const owner = [tenant.world.environmentId, tenant.endUser.userId];
  await tenant.db.query(
    "DELETE FROM credentials WHERE environment_id = $1 AND user_id = $2 AND format = 'passkey'",
    owner,
  );
  const authenticator = new Authenticator();
  const options = await optionsOf<{ challenge: string; user: { id: string } }>(tenant, 'register');
  return { authenticator, body: authenticator.create(options, SITE) };
}

async function storedPasskey(tenant: Tenant): Promise<{ authenticator: Authenticator; passkeyId: string }> {
  const { world, endUser } = tenant;
  const { authenticator, body } = await newPasskey(tenant);
  const proof = await freshToken(tenant);
  const headers = { origin: SITE.origin, 'x-elevated-access-token': proof };
  await world.anonymous.post(world.sdk('/users/passkeys/register'), body, {
    token: endUser.jwt,
    headers,
    expect: 200,
  });
  const { body: known } = await world.anonymous.get<{ passkeys: { id: string }[] }>(world.sdk('/users/passkeys'), {
    token: endUser.jwt,
    expect: 200,
  });
  return { authenticator, passkeyId: known.passkeys[0]!.id };
}

async function freshToken({ world, endUser }: Tenant): Promise<string> {
  const verificationUUID = await world.sendCode(endUser.email);
  const proof = { verificationUUID, verificationToken: world.code(endUser.email), requestedScopes: ['credential:link'] };
  const options = { token: endUser.jwt, expect: 200 };
  const path = world.sdk('/emailVerifications/verify');
  return (await world.anonymous.post<{ elevatedAccessToken: string }>(path, proof, options)).body.elevatedAccessToken;
}

const beginning: OperationSurface = {
  request: async (tenant) => {
    await onSite(tenant);
    return {};
  },
  untold: BEGUN,
};

export const surface: Surface = {
  operations: {
    updatePasskey: {
      request: async (tenant) => ({ body: { id: (await storedPasskey(tenant)).passkeyId, alias: 'My phone' } }),
      untold: 'a name for people, which nothing depends on',
    },
    deletePasskey: {
      request: async (tenant) => ({ body: { passkeyId: (await storedPasskey(tenant)).passkeyId } }),
      fittingRecords: () => ({}),
      callers: { 'an end user': [422] },
      toldSometimes: { 'user.session.revoked': 'where the user has other sessions' },
    },
    getPasskeyRegistrationOptions: beginning,
    getPasskeyAuthenticationOptions: beginning,
    getPasskeyAuthenticationSigninOptions: beginning,
    registerPasskey: {
      request: async (tenant) => ({ body: (await newPasskey(tenant)).body }),
      rulesBeyondTheSchema: ASKS_FOR_EACH_OTHER,
    },
    signinWithPasskey: {
      request: async (tenant) => {
        const { authenticator } = await storedPasskey(tenant);
        return { body: authenticator.get(await optionsOf(tenant, 'signin'), SITE) };
      },
      toldSometimes: { 'user.session.revoked': 'when the user has as many sessions as there may be' },
      rulesBeyondTheSchema: ASKS_FOR_EACH_OTHER,
    },
  },
};
