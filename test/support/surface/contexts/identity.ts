import { trustedToken } from '../../external-auth.js';
import { enableSms, newPhone, type PhoneBody } from '../../sms.js';
import { newEmail } from '../../world.js';
import { newAddress, word, type RecordIds } from '../records.js';
import { keepOne } from '../room.js';
import type { OperationSurface, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

/** Why operations on users leave no audit record. */
/** Side effects of a credential that is new to its user. */
export const SIGNED_OUT = { 'user.session.revoked': 'when the user is signed in elsewhere' };
const PROBE = 'a code is on its way and nothing is proven; published when it is used';

const wallet = () => ({
  publicWalletAddress: newAddress(),
  chain: 'EVM',
  walletName: 'test',
  walletProvider: 'browserExtension',
});
const newUser = () => ({ email: newEmail(), alias: 'test', wallets: [wallet()] });
const profile = () => ({ alias: word(), firstName: 'Ada', country: 'GB' });

/** A text field with every supported rule. */
const customField = (name: string) => ({
  name,
  enabled: true,
  required: false,
  fieldType: 'text',
  validationRules: { unique: true, regex: '[a-z ]+' },
  position: 1,
});

/** Texts in which something can be seen. */
const VISIBLE = /^(name|validationRules\.validOptions\.0\.label): /;

async function makeUser({ world, marker }: Tenant): Promise<string> {
  const user = {
    email: `${marker}-${newEmail()}`,
    alias: marker,
    metadata: { note: marker },
    wallets: [{ ...wallet(), walletName: marker }],
  };
  return (await world.api.post<{ user: { id: string } }>(world.path('/users'), user, { expect: 201 })).body.user.id;
}

async function makeCustomField({ world, marker }: Tenant): Promise<string> {
  const field = customField(`${marker} ${word()}`);
  return (await world.api.post<{ id: string }>(world.path('/custom/fields'), field, { expect: 201 })).body.id;
}

async function sentCode({ world }: Tenant): Promise<{ verificationUUID: string; verificationToken: string }> {
  const email = newEmail();
  return { verificationUUID: await world.sendCode(email), verificationToken: world.code(email) };
}

/** A pending code for a phone, in an environment that sends text messages. */
async function sentText({ world, db }: Tenant): Promise<{ phone: PhoneBody; id: string; code: string }> {
  const { rowCount } = await db.query("SELECT 1 FROM providers WHERE environment_id = $1 AND provider = 'sms'", [
    world.environmentId,
  ]);
  if (rowCount === 0) await enableSms(world);
  const { e164, body } = newPhone();
  const path = world.sdk('/smsVerifications/create');
  const started = await world.anonymous.post<{ verificationUUID: string }>(path, body, { expect: 201 });
  return { phone: body, id: started.body.verificationUUID, code: world.code(e164) };
}

async function textReturned(tenant: Tenant): Promise<{ body: object }> {
  const { id, code } = await sentText(tenant);
  return { body: { verificationUUID: id, verificationToken: code } };
}

const somebodySignedIn = async ({ world }: Tenant): Promise<RecordIds> => ({
  userId: (await world.signIn(newEmail())).userId,
});

/** A session with its user, new for each call. */
const signedIn = async ({ world }: Tenant): Promise<RecordIds> => {
  const { userId, sessionId } = await world.signIn(newEmail());
  return { userId, sessionId };
};

const updateUser: OperationSurface = { request: () => ({ body: profile() }) };
const revokeSessions: OperationSurface = { fittingRecords: somebodySignedIn };

export const surface: Surface = {
  records: {
    userId: { make: makeUser },
    customFieldId: { make: makeCustomField },
    sessionId: { make: async (tenant) => (await tenant.world.signIn(newEmail())).sessionId },
  },
  operations: {
    getEnvironmentUsers: {
      request: () => ({ query: 'filter[filterColumn]=email&filter[filterValue]=example&limit=5&offset=0' }),
    },
    createUser: { request: () => ({ body: newUser() }) },
    bulkCreateUser: {
      request: () => ({ body: [newUser(), newUser()], query: 'upsert=false' }),
      toldSometimes: { 'user.updated': 'with `upsert`, for users who exist' },
    },
    updateUser,
    updateUserLegacy: updateUser,
    revokeUserSessions: revokeSessions,
    revokeUserSessionsLegacy: revokeSessions,
    getSessionById: { fittingRecords: signedIn },
    revokeSessionById: { fittingRecords: signedIn },
    createCustomFieldForEnvironment: {
      request: async (tenant) => {
        await keepOne('custom_fields', 'environmentId', 'customFieldId')(tenant);
        return { body: customField(word()) };
      },
      rulesBeyondTheSchema: VISIBLE,
    },
    updateCustomFieldById: { request: () => ({ body: customField(word()) }), rulesBeyondTheSchema: VISIBLE },
    createVisit: {
      request: () => ({
        body: { address: newAddress(), chain: 'EVM', provider: 'browserExtension', walletName: 'test' },
      }),
      untold: 'counts what a page has seen, which is no state of the environment',
    },
    publishEvent: {
      request: () => ({
        body: { events: [{ anonymousId: word(), event: 'Page viewed', properties: { path: {} }, type: 'track' }] },
      }),
      untold: 'counts what a page says has happened, which is no state of the environment',
    },
    createEmailVerification: { request: () => ({ body: { email: newEmail() } }), untold: PROBE },
    retryEmailVerification: {
      request: async ({ world }) => {
        const email = newEmail();
        return { body: { email, verificationUUID: await world.sendCode(email) } };
      },
      untold: PROBE,
    },
    signInWithEmailVerification: {
      request: async (tenant) => ({ body: await sentCode(tenant) }),
      toldSometimes: { 'user.session.revoked': 'when the user has as many sessions as there may be' },
    },
    verifyEmailVerification: {
      request: async (tenant) => ({ body: await sentCode(tenant) }),
      toldSometimes: SIGNED_OUT,
    },
    createSmsVerification: {
      request: async (tenant) => {
        await sentText(tenant);
        return { body: newPhone().body };
      },
      untold: PROBE,
      rulesBeyondTheSchema: /./,
    },
    retrySmsVerification: {
      request: async (tenant) => {
        const { id, phone } = await sentText(tenant);
        return { body: { ...phone, verificationUUID: id } };
      },
      untold: PROBE,
      rulesBeyondTheSchema: /./,
    },
    signInWithSmsVerification: {
      request: textReturned,
      toldSometimes: { 'user.session.revoked': 'when the user has as many sessions as there may be' },
    },
    verifySmsVerification: { request: textReturned, toldSometimes: SIGNED_OUT },
    externalAuthSignin: {
      request: async ({ world }) => ({ body: { jwt: await trustedToken(world) } }),
      toldSometimes: { 'user.session.revoked': 'when the user has as many sessions as there may be' },
    },
    externalAuthVerify: { untold: 'is retired' },
    revokeSession: { usesUp: true },
    refreshAuth: {
      usesUp: true,
      untold: 'goes on with a session whose beginning was published; a token that is used twice is published',
      toldSometimes: { 'user.session.revoked': 'when a refresh token is used twice' },
    },
    checkStepUp: { request: () => ({ body: { scope: 'wallet:export' } }), untold: 'a question, which changes nothing' },
    updateSelf: { request: () => ({ body: profile() }) },
    getUserFieldsCheck: { request: () => ({ query: `filter[field]=username&filter[value]=${word()}` }) },
  },
  commands: {
    'users unlock': {
      options: ({ world }) => ['--environment', world.environmentId, '--email', newEmail()],
      untold: 'ends waits for one-time codes and second factors, which changes nobody',
    },
  },
};
