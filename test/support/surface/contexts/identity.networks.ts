import { FrameChain, enableFrames, frameSignIn } from '../../frame.js';
import { enableTelegram, newLogin, queryOf, userOf } from '../../telegram.js';
import type { OperationSurface, RequestParts, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

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

const shown = async (tenant: Tenant): Promise<RequestParts> => {
  await telegram(tenant);
  return { body: { telegramAuthToken: queryOf(newLogin()) } };
};

/** One chain for the whole suite, as long as its process lives. */
let chain: Promise<FrameChain> | null = null;

async function frame(tenant: Tenant): Promise<RequestParts> {
  const known = await (chain ??= FrameChain.start());
  known.node.unref();
  if (!(await isThere(tenant, 'farcaster'))) {
    await known.serve(tenant.world);
    await enableFrames(tenant.world);
  }
  const fid = BigInt(Date.now());
  return { body: await frameSignIn(tenant.world, known.holder(fid), fid) };
}

/** A browser that has opened the page of the button. */
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
    telegramVerify: { request: shown, rulesBeyondTheSchema: /./ },
    frameappSignIn: { request: frame, toldSometimes: REVOKED, rulesBeyondTheSchema: /./ },
    frameappVerify: { request: frame, rulesBeyondTheSchema: /./ },
  },
};
