import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { EnvironmentId } from '../../src/auth/index.js';
import { keysRewrap } from '../../src/cli/keys.commands.js';
import { CustodianRegistry, KeyRotation, type RotationProgress } from '../../src/custody/index.js';
import { KeyVault, KeyVaultUnavailableError, SealedRecordsRegistry } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { captureLog } from '../support/log.js';
import { createDatabase } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { KmsServer } from '../support/vaults/kms-server.js';
import { TransitServer } from '../support/vaults/transit-server.js';
import { newEmail, World } from '../support/world.js';

interface Answer {
  status: number;
  code: string | undefined;
  retryAfter: string | null;
}

/** Without the client of the other tests, which wants every status documented: 503 may answer any operation. */
async function call({ url }: TestApp, world: World, path: string, body?: object, headers = {}): Promise<Answer> {
  const answer = await fetch(`${url}/api/v0${path.startsWith('/sdk/') ? path : world.path(path)}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { code } = (await answer.json()) as { code?: string };
  return { status: answer.status, code, retryAfter: answer.headers.get('retry-after') };
}

const hookAt = (path: string): object => ({ url: `https://example.com/${path}`, isEnabled: false, events: [] });
const wallet = (): object => ({ identifier: newEmail(), type: 'email', chain: 'EVM' });

const outdated = async ({ app }: TestApp): Promise<number[]> =>
  Promise.all(
    app
      .get(SealedRecordsRegistry)
      .all()
      .map((records) => records.count()),
  );

describe('a service whose keys are in HashiCorp Vault', () => {
  const transit = new TransitServer();
  let test: TestApp;
  let world: World;
  let key: string;
  /** Signs with a wallet of a user. */
  let sign: () => Promise<Answer>;

  beforeAll(async () => {
    await transit.listen();
    key = transit.addKey('gatehouse');
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api', ...transit.settings(key) } });
    world = await World.create(test);
    const { jwt, userId } = await world.signIn(newEmail());
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chain: 'EVM' }];
    const own = world.sdk('/users/embeddedWallets');
    await world.anonymous.post(own, { embeddedWallets }, { token: jwt, expect: 201 });
    const [wallet] = await rowsOf<{ id: string }>(test, 'SELECT id FROM wallets WHERE user_id = $1', [userId]);
    const headers = { authorization: `Bearer ${jwt}` };
    sign = () => call(test, world, `${own}/${wallet!.id}/sign`, { kind: 'message', message: 'x' }, headers);
  }, 60_000);
  afterEach(() => {
    transit.mood = 'well';
  });
  afterAll(async () => {
    await test?.close();
    await transit.close();
  });

  it.each(['away', 'silent', 'in trouble'] as const)(
    'answers 503 to what needs them while Vault is %s, does everything else, and all of it afterwards',
    async (mood) => {
      const seeds = async (): Promise<unknown> => rowsOf(test, 'SELECT id FROM wallet_seeds ORDER BY id');
      const before = await seeds();
      const log = captureLog();
      transit.mood = mood;
      const needing = [
        call(test, world, '/embeddedWallets', wallet()),
        sign(),
        call(test, world, '/webhooks', hookAt(mood.replace(' ', '-'))),
        call(test, world, '/users', { email: newEmail() }, { 'idempotency-key': `vault-${mood.replace(' ', '-')}` }),
      ];
      const free = [
        call(test, world, '/users?limit=1'),
        call(test, world, '/users', { email: newEmail() }),
        call(test, world, '/webhooks'),
      ];
      expect((await Promise.all(free)).map(({ status }) => status)).toEqual([200, 201, 200]);
      await expect(world.signIn(newEmail())).resolves.toBeDefined();
      const refused = { status: 503, code: 'service_unavailable', retryAfter: '2' };
      expect(await Promise.all(needing)).toEqual([refused, refused, refused, refused]);
      expect(await seeds()).toEqual(before);

      // Nothing is waited for: the first call of each kind succeeds.
      transit.mood = 'well';
      const again = [
        call(test, world, '/embeddedWallets', wallet()),
        sign(),
        call(test, world, '/webhooks', hookAt(mood.replace(' ', '-'))),
        call(test, world, '/users', { email: newEmail() }, { 'idempotency-key': `vault-${mood.replace(' ', '-')}` }),
      ];
      for (const { status } of await Promise.all(again)) expect([200, 201]).toContain(status);
      log.stop();
      for (const secret of [...transit.plaintexts, transit.role.secret]) expect(log.text()).not.toContain(secret);
    },
    60_000,
  );

  it('moves what is stored to a new version of the key, and has the older one refused only then', async () => {
    const said: string[] = [];
    const spy = jest.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
    try {
      transit.rotate(key, 60);
      const vault = test.app.get(KeyVault);
      await expect(keysRewrap(test.app, ['--retire'])).rejects.toThrow('less than five minutes ago');
      expect([vault.currentKeyId, transit.minimumOf(key)]).toEqual(['vault:transit/gatehouse:v2', 1]);
      transit.rotate(key);
      await keysRewrap(test.app, ['--retire']);
    } finally {
      spy.mockRestore();
    }
    expect(said).toContainEqual(expect.stringMatching(/^wallet_seeds\S+ {2}\d+ rewrapped, 0 left$/));
    expect(said.slice(-2)).toEqual([
      'Every sealed record is under the current master key.',
      'Vault decrypts no version below 3 any more.',
    ]);
    expect(transit.minimumOf(key)).toBe(3);
    const next = await startTestApp({ databaseUrl: test.databaseUrl, env: { ROLE: 'api', ...transit.settings(key) } });
    await expect(world.signIn(newEmail())).resolves.toBeDefined();
    await next.close();
  });

  it('moves again what had been moved before the key was rotated once more, and then has older versions refused', async () => {
    expect((await call(test, world, '/webhooks', hookAt('moved-last'))).status).toBe(201);
    let isMoving = false;
    // As if the run took so long that the rotation in the middle of it is an hour ago by its end.
    const spy = jest.spyOn(console, 'log').mockImplementation((line: string) => {
      if (isMoving || !line.startsWith('wallet_seeds')) return;
      isMoving = true;
      transit.rotate(key);
    });
    try {
      transit.rotate(key);
      await keysRewrap(test.app, ['--retire']);
    } finally {
      spy.mockRestore();
    }
    expect([isMoving, transit.minimumOf(key)]).toEqual([true, 5]);
    expect(new Set(await outdated(test))).toEqual(new Set([0]));
    const next = await startTestApp({ databaseUrl: test.databaseUrl, env: { ROLE: 'api', ...transit.settings(key) } });
    await next.close();
    expect((await sign()).status).toBe(200);
  });
});

describe('a deployment that moves from its own master key to AWS KMS', () => {
  const kms = new KmsServer();
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let keyArn: string;
  let users: { environmentId: EnvironmentId; userId: string }[];
  let addresses: unknown[];
  let world: World;

  const start = (env: Record<string, string>): Promise<TestApp> =>
    startTestApp({ databaseUrl: database.url, env: { ROLE: 'api', ...env } });

  const derived = ({ app }: TestApp): Promise<unknown[]> => {
    const keys = app.get(CustodianRegistry).get('V1', 'create');
    return Promise.all(users.map(async (user) => (await keys.prepare(user, ['SOL'])).accounts));
  };

  beforeAll(async () => {
    await kms.listen();
    keyArn = kms.addKey();
    database = await createDatabase();
    const before = await start({});
    world = await World.create(before);
    users = [];
    for (let at = 0; at < 20; at++) {
      const made = await world.api.post<{ user: { id: string } }>(world.path('/embeddedWallets'), wallet());
      users.push({ environmentId: world.environmentId, userId: made.body.user.id });
    }
    for (let at = 0; at < 6; at++) await world.api.post(world.path('/webhooks'), hookAt(`${at}`), { expect: 201 });
    addresses = await derived(before);
    await before.close();
  }, 120_000);
  afterAll(async () => {
    await database?.drop();
    await kms.close();
  });

  it('loses nothing and stops for nobody, though KMS is away in the middle of it', async () => {
    const both = await start({ ...kms.settings(keyArn), KEY_VAULT: 'aws-kms,local' });
    const answers: Answer[] = [];
    let isOver = false;
    const load = Array.from({ length: 4 }, async (_, at) => {
      while (!isOver) {
        answers.push(await call(both, world, '/embeddedWallets', wallet()));
        const key = { 'idempotency-key': `load-${at}-${answers.length}` };
        answers.push(await call(both, world, '/users', { email: newEmail() }, key));
      }
    });
    const seen: RotationProgress[] = [];
    const rotation = both.app.get(KeyRotation);
    try {
      // Ends after the first batch that was moved, like a process that is killed.
      const onProgress = (progress: RotationProgress): void => {
        seen.push(progress);
        kms.mood = 'away';
      };
      await expect(rotation.rewrapAll({ batch: 5, onProgress })).rejects.toThrow(KeyVaultUnavailableError);
      kms.mood = 'well';
      expect(Math.max(...(await outdated(both)))).toBeGreaterThan(0);
      // On a busy machine a call may take longer than people wait; the next run goes on.
      const results = await eventually('all is moved', () =>
        rotation.rewrapAll({ batch: 5, onProgress: (progress) => seen.push(progress) }).catch((error: unknown) => {
          if (error instanceof KeyVaultUnavailableError) return null;
          throw error;
        }),
      );
      expect(results.every(({ remaining }) => remaining === 0)).toBe(true);
      await eventually('served again', async () => answers.filter(({ status }) => status < 300).length > 8);
    } finally {
      kms.mood = 'well';
      isOver = true;
      await Promise.all(load);
    }
    expect(seen[0]).toMatchObject({ rewrapped: expect.any(Number), remaining: expect.any(Number) });
    expect(new Set(answers.map(({ status }) => status))).not.toContain(500);
    expect(new Set(await outdated(both))).toEqual(new Set([0]));
    expect(await derived(both)).toEqual(addresses);
    await both.close();
  }, 120_000);

  it('no longer needs its own master key, and refuses the ciphertext of another row', async () => {
    const after = await start({ ...kms.settings(keyArn), MASTER_KEY: '' });
    expect(await derived(after)).toEqual(addresses);
    expect((await call(after, world, '/webhooks', hookAt('after'))).status).toBe(201);
    expect((await call(after, world, '/embeddedWallets', wallet())).status).toBe(201);

    const ids = users.slice(0, 2).map(({ userId }) => userId);
    await rowsOf(
      after,
      `UPDATE wallet_seeds t SET sealed_entropy = o.sealed_entropy FROM wallet_seeds o
       WHERE t.user_id = ANY ($1) AND o.user_id = ANY ($1) AND t.user_id <> o.user_id RETURNING t.id`,
      [ids],
    );
    await expect(derived(after)).rejects.toMatchObject({ name: 'SealedBlobError', reason: 'not-authentic' });
    await after.close();
  }, 60_000);
});
