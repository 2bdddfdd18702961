import { randomInt } from 'node:crypto';
import { CustodyRegistry } from '../../../../src/identity/methods/frameapp/custody-registry.js';
import { enableFrames, frameSignIn } from '../../frame.js';
import { newKey, SITE } from '../../wallet-sign-in.js';
import { enableTelegram, newLogin, queryOf, userOf } from '../../telegram.js';
import type { OperationSurface, RequestParts, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';
import { SIGNED_OUT } from './identity.js';

const KEPT = 'keeps what the network said under a state, and nothing is proven; published when it is used';
const REVOKED = { 'user.session.revoked': 'when the user has as many sessions as there may be' };

const isThere = async ({ db, world }: Tenant, provider: string): Promise<boolean> =>
  (
    await db.query('SELECT 1 FROM providers WHERE environment_id = $1 AND provider = $2 AND enabled_at IS NOT NULL', [
      world.environmentId,
      provider,
    ])
  ).rowCount === 1;

async function telegram(tenant: Tenant): Promise<void> {
  if (!(await isThere(tenant, 'telegram'))) await enableTelegram(tenant.world);
}

export const shown = async (tenant: Tenant): Promise<RequestParts> => {
  await telegram(tenant);
  return { body: { telegramAuthToken: queryOf(newLogin()) } };
};

/** Prepares the holder of a frame network account: the suites call no chain. Other calls may have removed the site. */
async function frame(tenant: Tenant): Promise<RequestParts> {
  const { world } = tenant;
  world.test.app.get(CustodyRegistry).holds = () => Promise.resolve(true);
  if (!(await isThere(tenant, 'farcaster'))) await enableFrames(world);
  await world.api.post(world.path('/origins'), { origin: SITE });
  return { body: await frameSignIn(world, newKey(), BigInt(randomInt(1, 2 ** 40))) };
}

/** A browser that has opened the page with the button. */
async function posting(tenant: Tenant): Promise<RequestParts> {
  await telegram(tenant);
  const { headers } = await tenant.world.anonymous.get(tenant.world.sdk('/telegram/auth?state=s'), { expect: 200 });
  const cookie = headers.getSetCookie()[0]!.split(';')[0]!;
  return { body: { state: 's', telegramUser: userOf(newLogin()) }, headers: { cookie } };
}

const known: OperationSurface = {
  request: async (tenant) => {
    await telegram(tenant);
    const { world } = tenant;
    const login = newLogin();
    const body = { telegramAuthToken: queryOf(login) };
    await world.anonymous.post(world.sdk('/telegram/signin'), body, { expect: 200 });
    return { body: { telegramAuthToken: queryOf({ ...login, username: 'again' }) } };
  },
  untold: 'asks whose an account is, and changes nothing',
  rulesBeyondTheSchema: /./,
};

export const surface: Surface = {
  operations: {
    getTelegramAuth: {
      request: async (tenant) => {
        await telegram(tenant);
        return { query: 'state=s' };
      },
      rulesBeyondTheSchema: /./,
      takenAnyway: /./,
    },
    postTelegramAuth: { request: posting, untold: KEPT, rulesBeyondTheSchema: /./ },
    telegramCheckAuth: known,
    telegramSignIn: { request: shown, toldSometimes: REVOKED, rulesBeyondTheSchema: /./ },
    telegramVerify: { request: shown, toldSometimes: SIGNED_OUT, rulesBeyondTheSchema: /./ },
    frameappSignIn: { request: frame, toldSometimes: REVOKED, rulesBeyondTheSchema: /./ },
    frameappVerify: { request: frame, toldSometimes: SIGNED_OUT, rulesBeyondTheSchema: /./ },
  },
};
