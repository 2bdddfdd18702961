import { createHash, randomBytes } from 'node:crypto';
import { SocialAccounts } from '../../../../src/providers/index.js';
import { addOauthAccount } from '../../oauth-account.js';
import { word } from '../records.js';
import { SIGNED_OUT } from './identity.js';
import type { OperationSurface, RequestParts, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const random = (): string => randomBytes(32).toString('base64url');
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const PROBE = 'somebody is on the way to a provider or back, and nothing is proven; published when the code is used';

/** Enables the provider in the paths and responds for it: the suites call no vendor. */
async function provider({ world, db, ids }: Tenant): Promise<void> {
  const values = [ids['environmentId'], ids['providerId']];
  const others = `UPDATE providers SET enabled_at = NULL WHERE environment_id = $1 AND id <> $2 AND provider = 'github'`;
  await db.query(others, values);
  await db.query('UPDATE providers SET enabled_at = now() WHERE environment_id = $1 AND id = $2', values);
  const accounts = world.test.app.get(SocialAccounts);
  const { findOpen } = SocialAccounts.prototype;
  accounts.findOpen = async (...named) => {
    const found = await findOpen.apply(accounts, named);
    return found && { ...found, finish: () => Promise.resolve(somebody()) };
  };
}

const somebody = () => ({
  subject: random(),
  email: null,
  emailVerified: false,
  emailAuthoritative: false,
  displayName: word(),
  username: word(),
  photos: [],
  untold: [],
  tokens: null,
  connection: null,
});

/** An attempt of a client without cookies. */
async function attempt({ db, ids }: Tenant, of: string, isAnswered: boolean) {
  const [state, codeVerifier, code] = [random(), random(), random()];
  await db.query(
    `INSERT INTO oauth_attempts (environment_id, state_hash, provider, code_challenge, answer, code_hash, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + interval '10 minutes')`,
    [
      ids['environmentId'],
      sha256(state),
      of,
      sha256(codeVerifier).toString('base64url'),
      ...(isAnswered ? ['answer', sha256(code)] : [null, null]),
    ],
  );
  return { state, codeVerifier, code };
}

const leaving = async (tenant: Tenant): Promise<RequestParts> => {
  await provider(tenant);
  return { query: `state=${(await attempt(tenant, 'github', false)).state}` };
};
const returning = (of: string) => async (tenant: Tenant) => ({
  query: `code=code-12345&state=${(await attempt(tenant, of, false)).state}`,
});
const finishing = async (tenant: Tenant): Promise<RequestParts> => {
  await provider(tenant);
  return { body: await attempt(tenant, 'github', true) };
};

/** A user's account with a token of its provider. */
const makeAccount = ({ world, endUser }: Tenant): Promise<string> => addOauthAccount(world, endUser.userId);

/** The access suite's callers are different users, and the request needs data of the tenant's end user. */
const notTheirs: OperationSurface['callers'] = {
  'an end user': [404],
  'an end user with the minified token': [404],
};

async function aTokenIsRead(tenant: Tenant): Promise<void> {
  const { world, endUser } = tenant;
  const path = world.sdk(`/oauthAccounts/${await makeAccount(tenant)}/accessToken`);
  await world.anonymous.get(path, { token: endUser.jwt, expect: 200 });
}

export const surface: Surface = {
  records: { oauthAccountId: { make: makeAccount } },
  scenarios: { 'a token of an account that is read': aTokenIsRead },
  operations: {
    getEndUserOauthAccessToken: { callers: notTheirs },
    initAuth: {
      request: async (tenant) => {
        await provider(tenant);
        return { body: { state: random() } };
      },
      // The errors state the rules for state, challenge and redirect URL.
      rulesBeyondTheSchema: /./,
      untold: PROBE,
    },
    oauthLoginUrl: { request: leaving },
    oauthLogin: { request: leaving, takenAnyway: /^\?(?!state )|as a list$/ },
    oauthAuthorizeHtml: { request: leaving, rulesBeyondTheSchema: /./ },
    oauthRedirectCode: { request: returning('github'), rulesBeyondTheSchema: /./, takenAnyway: /./ },
    cbOauthRedirect: {
      request: returning('coinbasesocial'),
      takenAnyway: /./,
      rulesBeyondTheSchema: /./,
    },
    oauthRedirectApple: {
      request: async (tenant) => ({
        body: { code: 'code-12345', state: (await attempt(tenant, 'apple', false)).state },
      }),
      untold: PROBE,
      rulesBeyondTheSchema: /./,
    },
    oauthResult: {
      request: async (tenant) => ({ body: { state: (await attempt(tenant, 'github', true)).state } }),
      rulesBeyondTheSchema: /./,
      untold: PROBE,
    },
    oauthSignIn: {
      request: finishing,
      toldSometimes: {
        'user.session.revoked': 'when the user has as many sessions as there may be',
        'user.social.linked': 'when the account is of an address that a user has',
      },
      rulesBeyondTheSchema: /./,
    },
    oauthVerify: { request: finishing, rulesBeyondTheSchema: /./, toldSometimes: SIGNED_OUT },
  },
};
