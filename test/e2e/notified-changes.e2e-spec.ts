import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevInbox } from '../../src/providers/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fillRows } from '../support/rows.js';
import { sharedTestApp } from '../support/shared-app.js';
import { newStamper } from '../support/stamper.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface WalletJson {
  id: string;
  properties: { keyvaultSubOrganizationId: string; keyvaultUserId: string };
}
type Owner = SignedIn & { wallet: WalletJson; key: ReturnType<typeof newStamper>; second: string };
/** One call of many that could go on for ever; what is answered at the end of the limit tells which counts. */
type Change = (person: Owner, there: World, at: number) => Promise<{ status: number; body: { code?: string } }>;

/** A fifth of thirty. */
const SCALE = '0.2';
const ADMITTED = 6;

describe('a change that is notified by mail and can be taken back', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  /** Somebody with a wallet and two addresses. */
  async function owner(): Promise<Owner> {
    const key = newStamper();
    const person = await world.signIn(newEmail(), { sessionPublicKey: key.publicKey });
    const second = newEmail();
    const verificationUUID = await world.sendCode(second);
    await world.anonymous.post(
      world.sdk('/emailVerifications/verify'),
      { verificationUUID, verificationToken: world.code(second) },
      { token: person.jwt, expect: 200 },
    );
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }];
    const path = world.sdk('/users/embeddedWallets');
    await world.anonymous.post(path, { embeddedWallets }, { token: person.jwt, expect: 201 });
    const { body } = await world.api.get<{ user: { wallets: WalletJson[] } }>(world.path(`/users/${person.userId}`));
    return { ...person, wallet: body.user.wallets[0]!, key, second };
  }

  const settle = ({ wallet, jwt }: Owner, there: World, hasDeniedDelegatedAccess: boolean) =>
    there.anonymous.put<{ code?: string }>(
      there.sdk(`/waas/${wallet.id}/settings`),
      { hasDeniedDelegatedAccess },
      { token: jwt },
    );

  const CHANGES: [string, Change][] = [
    [
      'a refusal of access for servers that is lifted',
      async (person, there) => {
        // To refuse is counted for nobody: it is how people protect themselves.
        expect((await settle(person, there, true)).status).toBe(200);
        const lifted = await settle(person, there, false);
        // Nor is a call that says what is so already.
        if (lifted.status === 200) expect((await settle(person, there, false)).status).toBe(200);
        return lifted;
      },
    ],
    [
      'the main address',
      ({ email, second, jwt }, there, at) =>
        there.anonymous.put(there.sdk('/users'), { email: at % 2 ? email : second }, { token: jwt }),
    ],
    [
      'the recovery e-mail',
      async ({ email, second, wallet, key, jwt }, there, at) => {
        const { keyvaultSubOrganizationId: organizationId, keyvaultUserId: userId } = wallet.properties;
        const keyvaultSignedRequest = key.stamp({
          ...{ organizationId, type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', timestampMs: String(Date.now()) },
          parameters: { userId, userEmail: at % 2 ? second : email, at },
        });
        const path = there.sdk('/users/embeddedWallets/recoveryEmail');
        const options = { token: jwt, headers: await proofOf(there, jwt) };
        return there.anonymous.put(path, { keyvaultSignedRequest }, options);
      },
    ],
  ];

  it.each(CHANGES)('is made only so often in an hour, so that it fills no mailbox: %s', async (_, change) => {
    const person = await owner();
    const env = { ROLE: 'api', RATE_LIMIT_SCALE: SCALE };
    const limited = await startTestApp({ env, databaseUrl: test.databaseUrl });
    try {
      const there = Object.assign(Object.create(World.prototype) as World, world, { test: limited });
      const answers: Awaited<ReturnType<Change>>[] = [];
      for (let at = 1; at <= ADMITTED + 1; at++) answers.push(await change(person, there, at));
      const last = answers.pop()!;
      for (const { status } of answers) expect([200, 204]).toContain(status);
      expect([last.status, last.body.code]).toEqual([429, 'too_many_requests']);
      const mails = limited.app.get(DevInbox).entries.filter(({ to }) => to === person.second);
      expect(mails).toHaveLength(ADMITTED);
    } finally {
      await limited.close();
    }
  });

  /** Addresses that somebody proves later, in their order, as whoever has taken an account over might. */
  async function proveMore({ userId }: Owner, count: number): Promise<string[]> {
    const more = Array.from({ length: count }, newEmail);
    for (const [at, email] of more.entries()) {
      const values = [world.environmentId, userId, email, at + 1];
      await fillRows(
        test,
        `INSERT INTO identifier_claims (environment_id, kind, identifier, user_id, proven_at)
         VALUES ($1, 'email', $3, $2, now() + make_interval(secs => $4))`,
        values,
      );
      await fillRows(
        test,
        `INSERT INTO credentials (environment_id, id, user_id, format, email, verified_at)
         VALUES ($1, gen_random_uuid(), $2, 'email', $3, now() + make_interval(secs => $4))`,
        values,
      );
    }
    return more;
  }

  it.each(CHANGES.slice(0, 2))('is told at the ten addresses that were proven first: %s', async (_, change) => {
    const person = await owner();
    const more = await proveMore(person, 12);
    expect((await change(person, world, 1)).status).toBe(200);
    const mails = test.app.get(DevInbox).entries;
    const told = mails.flatMap(({ to }) => (more.includes(to) ? [to] : []));
    expect(told.toSorted()).toEqual(more.slice(0, 8).toSorted());
  });
});
