import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { base58 } from '@scure/base';
import { randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { getAddress, toHex, type Address } from 'viem';
import { AccessGrantsRepository } from '../../src/access-control/decisions/access-grants.repository.js';
import { AccessSweep } from '../../src/access-control/decisions/access-sweep.js';
import { AccessSweepJob } from '../../src/access-control/decisions/access-sweep.job.js';
import { EnabledRules } from '../../src/access-control/decisions/enabled-rules.js';
import { mintEnvironmentId } from '../../src/auth/index.js';
import { Clock } from '../../src/common/clock.js';
import { checkChainNodes } from '../../src/doctor/checks/chain-nodes.js';
import { MOST_NODES } from '../../src/doctor/database-probe.repository.js';
import { Deployment as DoctorsDeployment } from '../../src/doctor/deployment.js';
import { UnitOfWork } from '../../src/database/index.js';
import { SignInCheck, SignInChecks, Undecided, type Admission } from '../../src/identity/index.js';
import { Jobs } from '../../src/queue/index.js';
import { Anvil } from '../support/anvil.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { addNetwork, useNodes } from '../support/chain-tenant.js';
import { Deployment } from '../support/deployment.js';
import { captureLog } from '../support/log.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { RpcNode } from '../support/rpc-node.js';
import { eventsOf, fillRows, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { SolanaNode, TOKEN, TOKEN_2022 } from '../support/solana-node.js';
import { newAddress } from '../support/surface/records.js';
import { newEmail, World, type SignedIn } from '../support/world.js';
import { generateMasterKey } from '../../src/vault/index.js';

const NUMBER = 31_337;
const newSolanaAddress = (): string => base58.encode(randomBytes(32));
/** More of them for a measurement: GATEHOUSE_CROWD=100000, which takes minutes. */
const CROWD = Number(process.env['GATEHOUSE_CROWD'] ?? 1_000);
/** How much longer everything may take than with the crowd of a test run. */
const PATIENCE = Math.max(1, CROWD / 5_000);
/** Users of one step of the sweep. */
const STEP = 200;

let database: TestDatabase;
let test: TestApp;
let meanwhile: (() => Promise<unknown>) | null = null;

/** Lets something happen once, after the rules have decided about a refresh and before it exchanges the token. */
class Meanwhile extends SignInCheck {
  override async check({ occasion }: Admission): Promise<Undecided | null> {
    return occasion === 'refresh' ? new Undecided(happens) : null;
  }
}
async function happens(): Promise<null> {
  const happening = meanwhile;
  meanwhile = null;
  await happening?.();
  return null;
}

let anvil: Anvil;
let node: RpcNode;
let token: Address;
const masterKey = generateMasterKey();

beforeAll(async () => {
  anvil = await (await Anvil.start()).withMulticall();
  node = await RpcNode.before(anvil.url);
  token = await anvil.deploy('Erc20', [0]);
  database = await createDatabase();
  test = await startTestApp({ databaseUrl: database.url, masterKey, env: { ROLE: 'api', EGRESS_ALLOW: '127.0.0.1' } });
  test.app.get(SignInChecks, { strict: false }).register(new Meanwhile());
}, 120_000);
afterAll(async () => {
  await test.close();
  await database.drop();
  await node.close();
  await anvil.close();
});
beforeEach(() => {
  node.mood = 'well';
  node.forget();
  offset = 0;
});

/** Moves what the service takes for the time in memory, so that nothing is remembered. */
let offset = 0;
function ahead(): void {
  offset += 61_000;
  test.app.get(Clock).timestamp = () => Date.now() + offset;
}

async function tenant(outcome = 'scope'): Promise<World> {
  const world = await World.create(test);
  await addNetwork(world, 'EVM', NUMBER, node.url);
  const rules = [{ type: 'token', chain: 'EVM', address: { networkId: NUMBER, contractAddress: token } }];
  const gate = { name: 'Holders', outcome, scope: 'holder', rules };
  const made = await world.api.post<{ id: string }>(world.path('/gates'), gate, { expect: 201 });
  await world.api.put(world.path(`/gates/${made.body.id}/enable`), undefined, { expect: 200 });
  return world;
}

/** Somebody with a wallet that holds `amount`, signed in through the gate; `address` where they have one already. */
async function holder(world: World, address = getAddress(newAddress())): Promise<SignedIn & { address: Address }> {
  await hold(address, 5n);
  const email = newEmail();
  const created = await world.api.post<{ user: { id: string } }>(world.path('/users'), { email }, { expect: 201 });
  await fillRows(
    test,
    `INSERT INTO credentials (environment_id, id, user_id, format, address, chain, public_identifier, wallet_provider, verified_at)
     VALUES ($1, gen_random_uuid(), $2, 'blockchain', $3, 'EVM', $3, 'browserExtension', now())`,
    [world.environmentId, created.body.user.id, address],
  );
  const signedIn = await world.signIn(email);
  expect(scopesIn(signedIn.body)).toContain('holder');
  return { ...signedIn, address };
}
const hold = (address: Address, amount: bigint): Promise<void> => anvil.send('Erc20', token, 'set', [address, amount]);
const scopesIn = (body: SignedIn['body']): string[] => String(body.user['scope']).split(' ');

/** Makes the users of one tenant due. */
async function makeDue({ environmentId }: World, since: string): Promise<void> {
  await rowsOf(test, 'UPDATE access_grants SET swept_at = now() - $2::interval WHERE environment_id = $1', [
    environmentId,
    since,
  ]);
  ahead();
}

/** Makes everybody due, as if nobody had looked for so long, and sweeps. */
async function sweep(unconfirmed = '6 minutes'): Promise<number> {
  await rowsOf(test, 'UPDATE access_grants SET swept_at = now() - $1::interval, confirmed_at = now() - $1::interval', [
    unconfirmed,
  ]);
  ahead();
  return test.app.get(AccessSweepJob).run();
}
const told = async (world: World) =>
  (await eventsOf(test, world.environmentId)).filter(({ name }) => name === 'user.scopes.changed');
const ask = (world: World, jwt: string, path = '/session') =>
  world.anonymous.withToken(jwt).get<{ code?: string }>(world.sdk(path));
const refresh = (world: World, jwt: string) =>
  world.anonymous.withToken(jwt).post<SignedIn['body'] & { code?: string; hint?: string }>(world.sdk('/refresh'));

describe('the sweep', () => {
  it('revokes a scope that a wallet no longer earns, with an event, and tokens are valid for a refresh only', async () => {
    const world = await tenant();
    const [ann, bob] = [await holder(world), await holder(world)];
    await hold(ann.address, 0n);
    await sweep();
    expect((await told(world)).map(({ data }) => data)).toEqual([
      { userId: ann.userId, scopes: [], dropped: ['holder'] },
    ]);
    const cut = await ask(world, ann.jwt);
    expect([cut.status, cut.body.code]).toEqual([401, 'token_cut']);
    expect((await ask(world, bob.jwt)).status).toBe(204);
    const renewed = await refresh(world, ann.jwt);
    expect(renewed.status).toBe(200);
    expect(scopesIn(renewed.body)).not.toContain('holder');
    expect((await ask(world, renewed.body.jwt!)).status).toBe(204);
    await sweep();
    expect(await told(world)).toHaveLength(1);
  });

  it('cuts tokens exchanged before, and a later refresh revives none of them', async () => {
    const world = await tenant();
    const ann = await holder(world);
    const second = (await refresh(world, ann.jwt)).body.jwt!;
    const third = (await refresh(world, second)).body.jwt!;
    await hold(ann.address, 0n);
    await sweep();
    const states = () => Promise.all([ann.jwt, second, third].map(async (jwt) => (await ask(world, jwt)).status));
    expect(await states()).toEqual([401, 401, 401]);
    expect((await ask(world, third)).body.code).toBe('token_cut');
    const renewed = await refresh(world, third);
    expect(renewed.status).toBe(200);
    expect(await states()).toEqual([401, 401, 401]);
    // Of two refreshes at once with a token that was cut, the later one gets the same token as ever.
    expect((await refresh(world, third)).status).toBe(200);
    const again = await refresh(world, renewed.body.jwt!);
    expect(again.status).toBe(200);
    expect(await states()).toEqual([401, 401, 401]);
    expect((await ask(world, again.body.jwt!)).status).toBe(204);
  });

  it('cuts the tokens of other sessions, and of the same one, though the loss was met before by a refresh or a change', async () => {
    const world = await tenant();
    const [ann, bob] = [await holder(world), await holder(world)];
    const elsewhere = await world.signIn(ann.email);
    for (const { address } of [ann, bob]) await hold(address, 0n);
    ahead();
    const renewed = await refresh(world, elsewhere.jwt);
    expect(scopesIn(renewed.body)).not.toContain('holder');
    const { body } = await world.anonymous.put<SignedIn['body']>(
      world.sdk('/users'),
      {},
      { token: bob.jwt, expect: 200 },
    );
    expect(scopesIn(body)).not.toContain('holder');
    await sweep();
    for (const { userId, jwt } of [ann, bob]) {
      expect((await ask(world, jwt)).body?.code).toBe('token_cut');
      const events = await eventsOf(test, world.environmentId, userId);
      const changes = events.filter(({ name }) => name === 'user.scopes.changed');
      expect(changes.map(({ data }) => data)).toEqual([{ userId, scopes: [], dropped: ['holder'] }]);
    }
  });

  it('is not put off by a refresh that grants less than before', async () => {
    const world = await tenant();
    const ann = await holder(world);
    const elsewhere = await world.signIn(ann.email);
    await hold(ann.address, 0n);
    const due = () =>
      rowsOf(test, "UPDATE access_grants SET swept_at = now() - interval '6 minutes' WHERE user_id = $1", [ann.userId]);
    await due();
    ahead();
    expect((await refresh(world, elsewhere.jwt)).status).toBe(200);
    await test.app.get(AccessSweepJob).run();
    expect((await ask(world, ann.jwt)).body?.code).toBe('token_cut');
  });

  it('gives a refresh repeated across the cut the next token, as do further repeats', async () => {
    const world = await tenant();
    const ann = await holder(world);
    const second = (await refresh(world, ann.jwt)).body.jwt!;
    // So long from now that it is a moment ago however slow the machine is.
    const lately = () =>
      rowsOf(test, "UPDATE sessions SET token_issued_at = now() + interval '10 minutes' WHERE id = $1", [
        ann.sessionId,
      ]);
    await lately();
    await hold(ann.address, 0n);
    await sweep();
    const renewed = await refresh(world, ann.jwt);
    expect(renewed.status).toBe(200);
    expect(scopesIn(renewed.body)).not.toContain('holder');
    expect(Number(renewed.body.expiresAt)).toBeGreaterThan(Date.now() / 1_000);
    expect((await ask(world, renewed.body.jwt!)).status).toBe(204);
    await lately();
    for (const jwt of [ann.jwt, second]) {
      const repeated = await refresh(world, jwt);
      expect([repeated.status, repeated.body.jwt && decodeJwt(repeated.body.jwt).jti]).toEqual([
        200,
        decodeJwt(renewed.body.jwt!).jti,
      ]);
    }
    const thief = { headers: { 'user-agent': 'another client' } };
    const stolen = await world.anonymous
      .withToken(ann.jwt)
      .post<{ code?: string }>(world.sdk('/refresh'), undefined, thief);
    expect([stolen.status, stolen.body.code]).toEqual([401, 'token_reused']);
  });

  it('is not undone by a refresh that had been decided when the tokens were cut', async () => {
    const world = await tenant();
    const ann = await holder(world);
    meanwhile = async () => {
      await hold(ann.address, 0n);
      await sweep();
    };
    const renewed = await refresh(world, ann.jwt);
    expect([renewed.status, await told(world)]).toMatchObject([200, [{ data: { dropped: ['holder'] } }]]);
    expect(scopesIn(renewed.body)).not.toContain('holder');
    expect((await ask(world, renewed.body.jwt!)).status).toBe(204);
  });

  it('cuts exchanged tokens that outlive the newest one because token lifetimes were shortened', async () => {
    const world = await tenant();
    const ann = await holder(world);
    await refresh(world, ann.jwt);
    await rowsOf(test, "UPDATE sessions SET token_expires_at = now() - interval '1 second' WHERE id = $1", [
      ann.sessionId,
    ]);
    expect((await ask(world, ann.jwt)).status).toBe(204);
    await hold(ann.address, 0n);
    await sweep();
    expect((await ask(world, ann.jwt)).status).toBe(401);
    await sweep();
    expect(await told(world)).toHaveLength(1);
  });

  it('cuts the tokens of users who would no longer be admitted, and the refresh says what is missing', async () => {
    const world = await tenant('block');
    const ann = await holder(world);
    await hold(ann.address, 0n);
    await sweep();
    expect((await told(world)).map(({ data }) => data)).toEqual([
      { userId: ann.userId, scopes: [], dropped: ['holder'] },
    ]);
    expect((await ask(world, ann.jwt)).body.code).toBe('token_cut');
    const refused = await refresh(world, ann.jwt);
    expect([refused.status, refused.body.code]).toEqual([403, 'access_denied']);
    expect(refused.body.hint).toContain(token);
    await hold(ann.address, 1n);
    ahead();
    expect((await refresh(world, ann.jwt)).status).toBe(200);
  });

  it.each(['siteAccess', 'block'])(
    'keeps nobody in who signed in before the first rule was enabled: %s',
    async (outcome) => {
      const world = await World.create(test);
      const [ann, bob] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
      const path = world.path('/allowlists');
      const list = (await world.api.post<{ id: string }>(path, { name: 'Staff', outcome }, { expect: 201 })).body.id;
      const email = String(bob.body.user['email']);
      await world.api.post(`/allowlists/${list}/entries`, { email }, { expect: 201 });
      await test.app.get(AccessSweepJob).run();
      expect([(await ask(world, ann.jwt)).status, (await ask(world, bob.jwt)).status]).toEqual([204, 204]);
      await world.api.put(`/allowlists/${list}/enable`, undefined, { expect: 200 });
      await test.app.get(AccessSweepJob).run();
      expect((await ask(world, ann.jwt)).body.code).toBe('token_cut');
      expect((await refresh(world, ann.jwt)).body.code).toBe('access_denied');
      expect((await ask(world, bob.jwt)).status).toBe(204);
      expect((await told(world)).map(({ data }) => data)).toEqual([{ userId: ann.userId, scopes: [], dropped: [] }]);
      await world.anonymous.withToken(ann.jwt).post(world.sdk('/revoke'), undefined, { expect: 204 });
      expect((await refresh(world, ann.jwt)).status).toBe(401);
    },
  );

  it('revokes what a disabled gate granted, and the access of a user removed from an allowlist', async () => {
    const world = await World.create(test);
    const body = { name: 'Friends', outcome: 'scope', scope: 'friend' };
    const list = (await world.api.post<{ id: string }>(world.path('/allowlists'), body, { expect: 201 })).body.id;
    const [ann, bob] = [newEmail(), newEmail()];
    const entries: string[] = [];
    for (const email of [ann, bob]) {
      const path = `/allowlists/${list}/entries`;
      entries.push((await world.api.post<{ id: string }>(path, { email }, { expect: 201 })).body.id);
    }
    await world.api.put(`/allowlists/${list}/enable`, undefined, { expect: 200 });
    const ids = [(await world.signIn(ann)).userId, (await world.signIn(bob)).userId];
    await sweep();
    expect(await told(world)).toEqual([]);
    await world.api.delete(`/allowlistEntries/${entries[0]}`, { expect: 204 });
    await sweep();
    expect((await told(world)).map(({ data }) => data['userId'])).toEqual([ids[0]]);
    await world.api.put(`/allowlists/${list}/disable`, undefined, { expect: 200 });
    await sweep();
    expect((await told(world)).map(({ data }) => data['userId'])).toEqual(ids);
  });

  it('goes on with other tenants where the rules of one cannot be read, and comes back to it', async () => {
    const worlds = [await tenant(), await tenant()] as const;
    const [broken, other] = worlds;
    const users = [await holder(broken), await holder(other)];
    for (const { address } of users) await hold(address, 0n);
    const rules = test.app.get(EnabledRules);
    const read = rules.get.bind(rules);
    const reading = jest.spyOn(rules, 'get').mockImplementation((environmentId, on) => {
      if (environmentId === broken.environmentId) throw new Error('planted');
      return read(environmentId, on);
    });
    const log = captureLog();
    try {
      // The one that cannot be read is the first in the queue.
      await makeDue(broken, '1 hour');
      await makeDue(other, '10 minutes');
      await test.app.get(AccessSweepJob).run();
      expect((await Promise.all(worlds.map(told))).map(({ length }) => length)).toEqual([0, 1]);
      expect(log.text()).toContain('planted');
    } finally {
      log.stop();
      reading.mockRestore();
    }
    await sweep();
    expect((await Promise.all(worlds.map(told))).map(({ length }) => length)).toEqual([1, 1]);
  });

  it('waits for no tenant whose rules take long to be read', async () => {
    const [slow, other] = [await tenant(), await tenant()];
    for (const world of [slow, other]) await hold((await holder(world)).address, 0n);
    const rules = test.app.get(EnabledRules);
    const read = rules.get.bind(rules);
    const others = Promise.withResolvers<void>();
    const reading = jest.spyOn(rules, 'get').mockImplementation(async (environmentId, on) => {
      if (environmentId === slow.environmentId) await others.promise;
      return read(environmentId, on);
    });
    try {
      await makeDue(slow, '1 hour');
      await makeDue(other, '10 minutes');
      const sweeping = test.app.get(AccessSweepJob).run();
      await eventually('the other tenant is swept', async () => (await told(other)).length === 1);
      expect(await told(slow)).toEqual([]);
      others.resolve();
      await sweeping;
      expect(await told(slow)).toHaveLength(1);
    } finally {
      others.resolve();
      reading.mockRestore();
    }
  });

  it('is over only when all of it is, though what it found about one tenant cannot be written', async () => {
    const [broken, slow] = [await tenant(), await tenant()];
    for (const world of [broken, slow]) await hold((await holder(world)).address, 0n);
    const [rules, grants] = [test.app.get(EnabledRules), test.app.get(AccessGrantsRepository)];
    const read = rules.get.bind(rules);
    const mayRead = Promise.withResolvers<void>();
    const spies = [
      jest.spyOn(rules, 'get').mockImplementation(async (environmentId, on) => {
        if (environmentId === broken.environmentId) throw new Error('planted');
        await mayRead.promise;
        return read(environmentId, on);
      }),
      jest.spyOn(grants, 'markSwept').mockImplementation(async () => {
        setTimeout(mayRead.resolve, 200);
        throw new Error('not written');
      }),
    ];
    const log = captureLog();
    try {
      await makeDue(broken, '1 hour');
      await makeDue(slow, '10 minutes');
      await expect(test.app.get(AccessSweepJob).run()).rejects.toThrow('not written');
      expect(await told(slow)).toHaveLength(1);
    } finally {
      log.stop();
      for (const spy of spies) spy.mockRestore();
    }
    // The one that could not be written is still the next.
    await test.app.get(AccessSweepJob).run();
    expect(await told(broken)).toHaveLength(1);
  });

  it('ends between two tenants when the process stops', async () => {
    const worlds = [await tenant(), await tenant()] as const;
    for (const world of worlds) await hold((await holder(world)).address, 0n);
    await makeDue(worlds[0], '1 hour');
    await makeDue(worlds[1], '10 minutes');
    const stopping = jest.spyOn(test.app.get(Jobs), 'isStopping', 'get');
    stopping.mockReturnValueOnce(false).mockReturnValueOnce(false).mockReturnValue(true);
    await test.app.get(AccessSweepJob).run();
    stopping.mockRestore();
    expect((await Promise.all(worlds.map(told))).map(({ length }) => length)).toEqual([1, 0]);
  });

  it('forgets users without a session', async () => {
    const world = await tenant();
    const [ann, bob] = [await holder(world), await holder(world)];
    await rowsOf(test, 'UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [ann.userId]);
    await rowsOf(test, 'UPDATE sessions SET expires_at = now() WHERE user_id = $1', [bob.userId]);
    await sweep();
    const left = await rowsOf(test, 'SELECT 1 FROM access_grants WHERE environment_id = $1', [world.environmentId]);
    expect([left, await told(world)]).toEqual([[], []]);
  });
});

describe('the grant of a user who had no session when the sweep began', () => {
  it('is kept if they have signed in since, or are about to, with fewer scopes than before', async () => {
    const world = await tenant();
    const list = { name: 'Friends', outcome: 'scope', scope: 'friend' };
    const { id } = (await world.api.post<{ id: string }>(world.path('/allowlists'), list, { expect: 201 })).body;
    await world.api.put(`/allowlists/${id}/enable`, undefined, { expect: 200 });
    const users = [await holder(world), await holder(world)];
    for (const { email } of users) await world.api.post(`/allowlists/${id}/entries`, { email }, { expect: 201 });
    for (const { email } of users) await world.signIn(email);
    const ended = 'UPDATE sessions SET revoked_at = now() WHERE environment_id = $1';
    await rowsOf(test, ended, [world.environmentId]);
    await makeDue(world, '6 minutes');
    const due = (await test.app.get(AccessGrantsRepository).listDue(300, 200)).filter(
      ({ environmentId }) => environmentId === world.environmentId,
    );
    expect(due.map(({ scopes, isIn }) => [scopes, isIn])).toEqual(users.map(() => [['friend', 'holder'], false]));
    for (const { address } of users) await hold(address, 0n);
    ahead();
    const [ann, bob] = users;
    expect(scopesIn((await world.signIn(ann!.email)).body)).not.toContain('holder');
    const grants = async () =>
      (await rowsOf(test, 'SELECT 1 FROM access_grants WHERE environment_id = $1', [world.environmentId])).length;
    const sweepDue = () => test.app.get(AccessSweep).sweep(mintEnvironmentId(world.environmentId), due);
    const grantsOf = test.app.get(AccessGrantsRepository);
    await test.app.get(UnitOfWork).run(async (tx) => {
      await grantsOf.keep(mintEnvironmentId(world.environmentId), bob!.userId, ['friend'], tx);
      // Changes nothing, and is answered after what was sent before it.
      await grantsOf.drop(mintEnvironmentId(world.environmentId), { userId: bob!.userId, revision: 0 }, [], tx);
      await sweepDue();
    });
    expect(await grants()).toBe(2);
    await sweepDue();
    expect(await grants()).toBe(1);
    await sweep();
    expect((await told(world)).map(({ data }) => [data['userId'], data['dropped']])).toEqual([
      [ann!.userId, ['holder']],
    ]);
  });
});

describe('a gate over tokens of Solana', () => {
  it.each([TOKEN, TOKEN_2022])(
    'follows what a wallet holds, from the sign-in to the sweep: program %s',
    async (program) => {
      const solana = await SolanaNode.start();
      const world = await World.create(test);
      await addNetwork(world, 'SOL', 902, solana.node.url);
      const [mint, account, owner] = [newSolanaAddress(), newSolanaAddress(), newSolanaAddress()];
      solana.mint(mint, 6, program);
      const hold = (amount: bigint) => solana.tokenAccount(account, { mint, owner, amount }, program);
      hold(2_500_000n);
      const address = { networkId: 902, contractAddress: mint };
      const rules = [{ type: 'token', chain: 'SOL', address, filter: { amount: 2.5 } }];
      const gate = { name: 'Holders', outcome: 'siteAccess', scope: 'holder', rules };
      const made = await world.api.post<{ id: string }>(world.path('/gates'), gate, { expect: 201 });
      const email = newEmail();
      const user = await world.api.post<{ user: { id: string } }>(world.path('/users'), { email }, { expect: 201 });
      await fillRows(
        test,
        `INSERT INTO credentials (environment_id, id, user_id, format, address, chain, public_identifier, wallet_provider, verified_at)
       VALUES ($1, gen_random_uuid(), $2, 'blockchain', $3, 'SOL', $3, 'browserExtension', now())`,
        [world.environmentId, user.body.user.id, owner],
      );
      await world.api.put(world.path(`/gates/${made.body.id}/enable`), undefined, { expect: 200 });
      const { jwt, body } = await world.signIn(email);
      expect(scopesIn(body)).toContain('holder');
      hold(2_499_999n);
      await sweep();
      expect(await told(world)).toHaveLength(1);
      expect((await refresh(world, jwt)).status).toBe(403);
      hold(2_500_000n);
      ahead();
      solana.node.mood = 'down';
      expect((await refresh(world, jwt)).body.code).toBe('access_undecided');
      await solana.node.close();
    },
  );
});

describe('the sweep over a crowd', () => {
  /** People who are in by the gate; every tenth holds nothing. */
  async function crowd(world: World, size = CROWD): Promise<void> {
    const ann = await holder(world);
    // Nobody has looked at these wallets before.
    const apart = 10_000_000 * ++crowds;
    const user = `md5($1::text || i)::uuid`;
    const numbers = `generate_series(1, ${size}) AS i`;
    const address = `'0x' || lpad(to_hex(CASE WHEN i % 10 = 0 THEN i + ${apart} ELSE ${SHARED} END), 40, '0')`;
    const values = [world.environmentId];
    await fillRows(test, `INSERT INTO users (environment_id, id) SELECT $1::uuid, ${user} FROM ${numbers}`, values);
    await fillRows(
      test,
      `INSERT INTO credentials (environment_id, id, user_id, format, address, chain, public_identifier, wallet_provider, verified_at)
       SELECT $1::uuid, gen_random_uuid(), ${user}, 'blockchain', ${address}, 'EVM', ${address}, 'browserExtension', now()
       FROM ${numbers}`,
      values,
    );
    await fillRows(
      test,
      `INSERT INTO sessions (environment_id, id, user_id, amr, token_id, token_issued_at, token_expires_at, expires_at)
       SELECT $1::uuid, gen_random_uuid(), ${user}, '{}', gen_random_uuid(), now(), now() + interval '1 hour',
         now() + interval '1 day' FROM ${numbers}`,
      values,
    );
    await fillRows(
      test,
      `INSERT INTO access_grants (environment_id, user_id, scopes, swept_at, confirmed_at)
       SELECT $1::uuid, ${user}, '{holder}', now() - interval '6 minutes', now() - interval '6 minutes' FROM ${numbers}`,
      values,
    );
    await hold(getAddress(toHex(SHARED, { size: 20 })), 5n);
    await rowsOf(test, 'UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [ann.userId]);
    await rowsOf(test, 'DELETE FROM access_grants WHERE user_id = $1', [ann.userId]);
  }
  const SHARED = 1_000_000;
  let crowds = 0;
  const swept = async (world: World): Promise<number> => {
    const [row] = await rowsOf<{ count: number }>(
      test,
      `SELECT count(*)::int AS count FROM access_grants
       WHERE environment_id = $1 AND swept_at > now() - interval '5 minutes'`,
      [world.environmentId],
    );
    return row!.count;
  };

  /** People whose grants alone fall due with the next sweep. */
  async function crowdAlone(size = CROWD): Promise<World> {
    const world = await tenant();
    await crowd(world, size);
    await rowsOf(test, 'UPDATE access_grants SET swept_at = now() WHERE environment_id <> $1', [world.environmentId]);
    return world;
  }

  it(
    'reads hundreds of wallets with one call, while sign-ins continue',
    async () => {
      const world = await crowdAlone();
      ahead();
      node.forget();
      const sweeping = test.app.get(AccessSweepJob).run();
      const ann = await holder(world);
      expect(await sweeping).toBe(CROWD);
      // Steps of 200 users, of which 20 have a wallet of their own; and the sign-in.
      expect(node.count('eth_call')).toBeLessThan((4 * CROWD) / STEP);
      expect((await ask(world, ann.jwt)).status).toBe(204);
      expect(await told(world)).toHaveLength(CROWD / 10);
    },
    120_000 * PATIENCE,
  );

  it(
    'needs the same number of statements, calls and memory per step for any number of users',
    async () => {
      const measured = async (size: number) => {
        await crowdAlone(size);
        ahead();
        node.forget();
        const [heap, started] = [process.memoryUsage().heapUsed, performance.now()];
        const { result, statements } = await countStatements(() => test.app.get(AccessSweepJob).run());
        expect(result).toBe(size);
        const steps = size / STEP;
        return {
          statements: statements.length / steps,
          calls: node.count('eth_call') / steps,
          msOfStep: (performance.now() - started) / steps,
          heapMiB: (process.memoryUsage().heapUsed - heap) / 2 ** 20,
        };
      };
      const [few, many] = [await measured(STEP), await measured(CROWD)];
      process.stdout.write(`${CROWD} people: ${JSON.stringify({ few, many })}\n`);
      expect(many.statements).toBeLessThanOrEqual(few.statements + 1);
      expect(many.calls).toBeLessThanOrEqual(few.calls + 1);
      // Of few people the figure is what was not collected yet.
      if (CROWD > 10_000) expect(many.heapMiB).toBeLessThan(250);
    },
    300_000 * PATIENCE,
  );

  it(
    'resumes where it was killed, and publishes nothing twice',
    async () => {
      const world = await tenant();
      await crowd(world);
      const settings = { DATABASE_URL: database.url, MASTER_KEY: masterKey, EGRESS_ALLOW: '127.0.0.1', ROLE: 'all' };
      const deployment = new Deployment({ ...settings, SMTP_URL: 'smtp://127.0.0.1:1' });
      // The row comes with the first look of an instance, so it is made due until somebody has taken it.
      const hurry = () =>
        rowsOf(test, `UPDATE scheduled_jobs SET due_at = now() WHERE name = 'access.sweep' AND claim IS NULL`);
      try {
        const first = await deployment.start();
        await eventually(
          'the sweep has begun',
          async () => {
            await hurry();
            return (await swept(world)) >= 200 || null;
          },
          60_000 * PATIENCE,
        );
        await first.process.end('SIGKILL');
        const before = await swept(world);
        expect(before).toBeGreaterThanOrEqual(200);
        await deployment.start();
        // Whoever is killed holds its claim until it runs out.
        await rowsOf(test, `UPDATE scheduled_jobs SET claim = NULL, due_at = now() WHERE name = 'access.sweep'`);
        await eventually(
          'the sweep has ended',
          async () => {
            await hurry();
            return (await swept(world)) === CROWD || null;
          },
          60_000 * PATIENCE,
        );
      } finally {
        await deployment.stop();
      }
      const losers = (await told(world)).map(({ data }) => data['userId']);
      expect([losers.length, new Set(losers).size]).toEqual([CROWD / 10, CROWD / 10]);
    },
    240_000 * PATIENCE,
  );
});

describe('the doctor', () => {
  it('asks every node chosen by a tenant for its network', async () => {
    const world = await tenant();
    await useNodes(world, { EVM: { 1: node.url } });
    const doctor = new DoctorsDeployment(test.config, test.app.get(Clock));
    try {
      await doctor.database();
      const nodes = await eventually('the database answers', () => doctor.chainNodes());
      expect(nodes).toContainEqual({ chain: 'EVM', number: String(NUMBER), url: node.url });
      expect(nodes).toContainEqual({ chain: 'EVM', number: '1', url: node.url });
      const looked = await checkChainNodes(nodes, MOST_NODES, (one) => doctor.askNode(one));
      expect(looked).toMatchObject({
        state: 'warn',
        meaning: expect.stringContaining('EVM 1: belongs to another network'),
      });
      const own = { chain: 'EVM', number: String(NUMBER), url: node.url };
      await eventually('the node answers', async () => (await doctor.askNode(own)) === null);
      node.mood = 'down';
      expect(await doctor.askNode(own)).toEqual(expect.any(String));
    } finally {
      await doctor.close();
    }
  });
});

/** Last, since a node that was away is left alone for a while. */
describe('the sweep while a chain cannot be read', () => {
  it.each(['down', 'garbage', 'rate-limited'] as const)(
    'keeps a scope for 15 minutes while the node is %s, and no longer',
    async (mood) => {
      const world = await tenant();
      const ann = await holder(world);
      node.mood = mood;
      await sweep('14 minutes');
      expect(await told(world)).toEqual([]);
      expect((await ask(world, ann.jwt)).status).toBe(204);
      await sweep('16 minutes');
      expect(await told(world)).toHaveLength(1);
      expect((await ask(world, ann.jwt)).body.code).toBe('token_cut');
      const renewed = await refresh(world, ann.jwt);
      expect(scopesIn(renewed.body)).toEqual(['user:basic']);
    },
  );
});
