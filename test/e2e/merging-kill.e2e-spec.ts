import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, codeOf } from '../support/accounts.js';
import { TestClient } from '../support/client.js';
import { KilledInstance } from '../support/killed-instance.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { World, newEmail, type SignedIn } from '../support/world.js';

/** With this statement the transaction of a merge holds both users. */
const HOLDS_BOTH = 'userMerges.lockUsers';

describe('an instance that is killed in the middle of a merge', () => {
  let instance: KilledInstance;
  let world: World;
  let accounts: Accounts;

  beforeAll(async () => {
    instance = await KilledInstance.start('merging');
    world = await World.create(instance.survivor);
    accounts = new Accounts(world);
  }, 240_000);
  afterAll(() => instance?.discard());

  async function offered(): Promise<{ ada: SignedIn; eve: SignedIn }> {
    const [ada, eve] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const answer = await accounts.verifyEmail(ada.jwt, eve.email);
    expect(codeOf(answer)).toBe('merge_accounts_confirmation');
    return { ada, eve };
  }

  /** Everything that a merge changes of the two. */
  async function stateOf({ ada, eve }: { ada: SignedIn; eve: SignedIn }): Promise<object> {
    const users = await Promise.all(
      [ada, eve].map(async ({ userId }) => (await world.api.get<object>(world.path(`/users/${userId}`))).body),
    );
    const ids = [ada.userId, eve.userId];
    const told = await Promise.all(ids.map((id) => eventsOf(instance.survivor, world.environmentId, id)));
    const live = await Promise.all([ada, eve].map(({ jwt }) => accounts.isLive(jwt)));
    const kept = await rowsOf(instance.survivor, 'SELECT * FROM user_merges WHERE user_id = ANY ($1)', [ids]);
    const pending = await rowsOf(instance.survivor, 'SELECT * FROM pending_merges WHERE user_id = ANY ($1)', [ids]);
    return { users, told: told.map((events) => events.map(({ name }) => name)), live, kept, pending };
  }

  /** Has the process merge them, and kills it as soon as the proxy says so. */
  async function killedAt(reached: Promise<void>, { jwt }: SignedIn): Promise<void> {
    const call = new TestClient(instance.url, jwt).post(world.sdk('/users/merge'));
    await instance.killAt(reached, call);
  }

  it.each([
    ['before the offer is taken', 'pendingMerges.take'],
    ['before it is written down what moved', 'userMerges.add'],
    ['before credentials move', 'userMerges.takeCredentials'],
    ['before it commits', 'COMMIT'],
  ])(
    '%s leaves both unchanged, and the merge is done on retry',
    async (_, statement) => {
      await instance.revive();
      const two = await offered();
      const before = await stateOf(two);
      await killedAt(instance.proxy.holdBefore(statement, HOLDS_BOTH), two.ada);
      expect(await stateOf(two)).toEqual(before);
      // PostgreSQL lets go of both users once it has noticed that the connection is over.
      await eventually('the merge is done', async () => {
        const { status } = await accounts.post('/users/merge', two.ada.jwt);
        return status === 200;
      });
      expect((await world.signIn(two.eve.email)).userId).toBe(two.ada.userId);
    },
    180_000,
  );

  it('after the commit has merged them, although the response was lost', async () => {
    await instance.revive();
    const two = await offered();
    await killedAt(instance.proxy.withholdCommitOf(HOLDS_BOTH), two.ada);
    await eventually(
      'they are merged',
      async () => (await world.api.get(world.path(`/users/${two.eve.userId}`))).status === 404,
    );
    expect(await Promise.all([two.ada, two.eve].map(({ jwt }) => accounts.isLive(jwt)))).toEqual([false, false]);
    for (const { email } of [two.ada, two.eve]) expect((await world.signIn(email)).userId).toBe(two.ada.userId);
    const names = (await eventsOf(instance.survivor, world.environmentId, two.ada.userId)).map(({ name }) => name);
    expect(names.filter((name) => name === 'user.merged')).toHaveLength(1);
  }, 180_000);
});
