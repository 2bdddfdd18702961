import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Clock } from '../../src/common/clock.js';
import { IntegerField } from '../../src/common/fields/index.js';
import { newId } from '../../src/common/ids.js';
import { SecurityLog } from '../../src/common/security/index.js';
import {
  asSystem,
  Database,
  defineEvent,
  deploymentStatement,
  Outbox,
  scopedStatement,
  translateDatabaseError,
  UnitOfWork,
  violatedConstraint,
} from '../../src/database/index.js';
import { OriginEntity } from '../../src/environments/origins/origin.entity.js';
import { ScopedRepository } from '../../src/database/scoped.repository.js';
import { statementNames } from '../../src/database/statement.js';
import { LISTENING_WEBHOOKS } from '../../src/webhooks/delivery/listening-webhooks.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { workerDatabase } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { sharedTestApp } from '../support/shared-app.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { World } from '../support/world.js';

class Origins extends ScopedRepository<OriginEntity> {
  constructor(database: Database) {
    super(database, OriginEntity);
  }
}

const COUNT_EVENTS = scopedStatement('test.events', 'SELECT id FROM events WHERE environment_id = $1 AND name = $2');
const ONE = deploymentStatement('test.one', 'SELECT 1 AS one');
const SLEEP = deploymentStatement('test.sleep', 'SELECT pg_sleep($1)');
const LISTEN = scopedStatement(
  'test.listen',
  `INSERT INTO webhooks (environment_id, id, url, events, is_enabled, version, sealed_secret, master_key_id)
   VALUES ($1, $2, 'https://hook.example.com', $3, true, '', '', '')`,
);

class Thing {
  @IntegerField({ optional: true })
  a?: number;
}

const THING_HAPPENED = defineEvent('thing.happened', 'Only in this test.', { payload: Thing });

describe('rows of a tenant', () => {
  let test: TestApp;
  let ours: World;
  let theirs: World;
  let origins: Origins;
  let work: UnitOfWork;
  let database: Database;

  beforeAll(async () => {
    test = await sharedTestApp();
    [ours, theirs] = await Promise.all([World.create(test), World.create(test)]);
    database = test.app.get(Database);
    origins = new Origins(database);
    work = test.app.get(UnitOfWork);
  });
  afterAll(() => test.close());

  const insert = (world: World, origin: string): Promise<OriginEntity> =>
    work.run((tx) => origins.insert(world.environmentId, { id: newId(), origin }, tx));

  it('are found, changed and deleted with their own scope', async () => {
    const row = await insert(ours, 'https://a.example.com');
    expect(row).toMatchObject({ environmentId: ours.environmentId, origin: 'https://a.example.com' });
    expect(row.createdAt).toBeInstanceOf(Date);
    const [changed] = await origins.update(
      ours.environmentId,
      { id: row.id },
      { origin: 'https://b.example.com' },
      database,
    );
    expect(changed?.origin).toBe('https://b.example.com');
    expect(await origins.delete(ours.environmentId, { id: row.id }, database)).toBe(1);
    expect(await origins.find(ours.environmentId, { id: row.id })).toBeNull();
  });

  it('are rolled back with a statement that was sent without waiting, whose error is reported', async () => {
    const id = newId();
    const sent = scopedStatement('test.sent', 'INSERT INTO origins (environment_id, id, origin) VALUES ($1, $2, $3)');
    const failing = work.run(async (tx) => {
      tx.send(sent, [ours.environmentId, id, 'https://sent.example.com']);
      tx.send(sent, [ours.environmentId, id, 'https://sent-again.example.com']);
      // Fails as well, because the transaction is lost by now; not what the caller should hear.
      await origins.insert(ours.environmentId, { id: newId(), origin: 'https://after.example.com' }, tx);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    const alone = work.run(async (tx) => {
      for (const origin of ['https://one.example.com', 'https://two.example.com']) {
        tx.send(sent, [ours.environmentId, id, origin]);
      }
    });
    await expect(alone).rejects.toMatchObject({ code: '23505' });
    expect(await origins.find(ours.environmentId, { id })).toBeNull();
    expect((await insert(ours, 'https://next.example.com')).origin).toBe('https://next.example.com');
  });

  it('do not exist for another scope', async () => {
    const { id } = await insert(ours, 'https://ours.example.com');
    expect(await origins.find(theirs.environmentId, { id })).toBeNull();
    expect(
      await origins.update(theirs.environmentId, { id }, { origin: 'https://stolen.example.com' }, database),
    ).toEqual([]);
    expect(await origins.delete(theirs.environmentId, { id }, database)).toBe(0);
    expect((await origins.list(theirs.environmentId, {}, { limit: 10 })).map((row) => row.id)).not.toContain(id);
    expect((await origins.find(ours.environmentId, { id }))?.origin).toBe('https://ours.example.com');
  });

  it('cannot be carried to another tenant by a wider object', async () => {
    const { id } = await insert(ours, 'https://carried.example.com');
    const values = { environmentId: theirs.environmentId as string, origin: 'https://x.example.com' } as {
      origin: string;
    };
    await expect(origins.update(ours.environmentId, { id }, values, database)).rejects.toThrow(
      'comes from the scope alone',
    );
    await expect(work.run((tx) => origins.insert(ours.environmentId, { id: newId(), ...values }, tx))).rejects.toThrow(
      'comes from the scope alone',
    );
  });

  it.each([undefined, null])('are never chosen by %p', async (nothing) => {
    const where = { id: nothing as unknown as string };
    await expect(origins.find(ours.environmentId, where)).rejects.toThrow('has no value');
    await expect(origins.delete(ours.environmentId, where, database)).rejects.toThrow('has no value');
    await expect(origins.update(ours.environmentId, where, { origin: 'x' }, database)).rejects.toThrow('has no value');
  });

  it('that break a unique constraint name it, and fifty at once make one', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => insert(ours, 'https://once.example.com')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = results.find((result) => result.status === 'rejected');
    expect(violatedConstraint(refused?.reason)).toBe('origins_once');
    const absent = await work.run((tx) =>
      origins.insertIfAbsent(ours.environmentId, { id: newId(), origin: 'https://once.example.com' }, tx),
    );
    expect(absent).toBeNull();
  });

  it('that reference missing rows are refused with a code, and not as an internal error', async () => {
    const nowhere = newId() as World['environmentId'];
    const refused = await work
      .run((tx) => origins.insert(nowhere, { id: newId(), origin: 'https://nowhere.example.com' }, tx))
      .catch((error: unknown) => error);
    expect(translateDatabaseError(refused)).toMatchObject({ status: 422, code: 'reference_not_found' });
    expect(await origins.list(nowhere, {}, { limit: 1 })).toEqual([]);
    expect(translateDatabaseError(Object.assign(new Error('other'), { code: '23514' }))).toBeNull();
  });

  it('are rolled back with their transaction, as are their events and wake-ups', async () => {
    let woken = 0;
    const outbox = new Outbox(new SecurityLog(new Clock()));
    outbox.tell(LISTENING_WEBHOOKS, () => woken++);
    await database.execute(LISTEN, [ours.environmentId, newId(), [THING_HAPPENED.name]]);
    const draft = { event: THING_HAPPENED, resourceId: newId(), data: { a: 1 } };
    const attempt = work.run(async (tx) => {
      await origins.insert(ours.environmentId, { id: newId(), origin: 'https://gone.example.com' }, tx);
      await outbox.append(ours.environmentId, [draft], tx);
      throw new Error('changed my mind');
    });
    await expect(attempt).rejects.toThrow('changed my mind');
    expect(await origins.find(ours.environmentId, { origin: 'https://gone.example.com' })).toBeNull();
    expect(await database.rows(COUNT_EVENTS, [ours.environmentId, THING_HAPPENED.name])).toEqual([]);
    expect(woken).toBe(0);
    await work.run((tx) => outbox.append(ours.environmentId, [draft], tx));
    expect(await database.rows(COUNT_EVENTS, [ours.environmentId, THING_HAPPENED.name])).toHaveLength(1);
    expect(woken).toBe(1);
    expect(() => outbox.tell(LISTENING_WEBHOOKS, () => undefined)).toThrow('already');
  });

  it('wake no worker with events without listeners', async () => {
    let woken = 0;
    const outbox = new Outbox(new SecurityLog(new Clock()));
    outbox.tell(LISTENING_WEBHOOKS, () => woken++);
    await database.execute(LISTEN, [theirs.environmentId, newId(), ['never']]);
    const draft = { event: THING_HAPPENED, resourceId: newId(), data: {} };
    await work.run((tx) => outbox.append(theirs.environmentId, [draft, draft], tx));
    expect(await database.rows(COUNT_EVENTS, [theirs.environmentId, THING_HAPPENED.name])).toHaveLength(2);
    expect(woken).toBe(0);
  });

  it('stay, and wake the others, if a wake-up fails after the commit', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const woken: string[] = [];
    const left = work.run(async (tx) => {
      tx.afterCommit(() => {
        throw new Error('overslept');
      });
      const late = async (): Promise<void> => Promise.reject(new Error('overslept as well'));
      tx.afterCommit(late);
      tx.afterCommit(() => void woken.push('the next'));
      await origins.insert(ours.environmentId, { id: newId(), origin: 'https://kept.example.com' }, tx);
      return 'answer';
    });
    try {
      await expect(left).resolves.toBe('answer');
      await eventually('both told', () => log.mock.calls.length === 2);
    } finally {
      log.mockRestore();
    }
    expect(woken).toEqual(['the next']);
    expect(await origins.find(ours.environmentId, { origin: 'https://kept.example.com' })).not.toBeNull();
  });

  it('release their connection after every failure', async () => {
    const failures = Array.from({ length: 60 }, () => work.run(() => Promise.reject(new Error('no'))));
    expect((await Promise.allSettled(failures)).every(({ status }) => status === 'rejected')).toBe(true);
    expect(database.load.waiting).toBe(0);
    await eventually('every connection idle', () => database.load.idle === database.load.total);
  });
});

describe('connections on which the database has fallen silent', () => {
  /** Longer than a statement is waited for here, which is five times as long as a connection. */
  const LONG_SECONDS = 13;
  let proxy: TcpProxy;
  let test: TestApp;

  beforeAll(async () => {
    const url = new URL((await workerDatabase()).url);
    proxy = await TcpProxy.start(Number(url.port));
    url.host = `127.0.0.1:${proxy.port}`;
    // The server gives a statement up six seconds before it is waited for no more: this process may stand still for some.
    test = await startTestApp({
      databaseUrl: url.href,
      env: { ROLE: 'api', DATABASE_POOL: '4', DATABASE_WAIT_MS: '2500' },
    });
  });
  afterAll(async () => {
    await test.close();
    await proxy.stop();
  });

  it('are given up: reads use others, writes get 503, and nothing waits for the system timeout', async () => {
    const [database, work] = [test.app.get(Database), test.app.get(UnitOfWork)];
    const read = () => database.rows<{ one: number }>(ONE, []);
    const write = () => work.run((tx) => tx.rows(ONE, []));
    await Promise.all([read(), read(), write(), write()]);
    expect(database.load.total).toBe(4);
    proxy.silence();
    const reads = Promise.all([read(), read()]);
    const writes = await Promise.allSettled([write(), write()]);
    for (const refused of writes) {
      expect(refused.status).toBe('rejected');
      const { reason } = refused as PromiseRejectedResult;
      expect(translateDatabaseError(reason)).toMatchObject({ status: 503, code: 'service_unavailable' });
    }
    expect(await reads).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    await expect(write()).resolves.toEqual([{ one: 1 }]);
  });

  it('are waited for by work without a time limit', async () => {
    const work = test.app.get(UnitOfWork);
    const slept = await work.run((tx) => {
      tx.takeTime();
      return tx.rows(SLEEP, [LONG_SECONDS]);
    });
    expect(slept).toHaveLength(1);
    await expect(work.run((tx) => tx.rows(SLEEP, [LONG_SECONDS]))).rejects.toMatchObject({ code: '57014' });
  });
});

describe('a statement', () => {
  it.each([
    ['without a scope', 'SELECT * FROM users WHERE id = $1'],
    ['whose scope is another parameter', 'SELECT * FROM users WHERE id = $1 AND environment_id = $2'],
    ['that inserts without a scope', 'INSERT INTO users (id) VALUES ($1)'],
  ])('%s is refused when it is declared, and reserves no name', (_, text) => {
    expect(() => scopedStatement('test.refused', text)).toThrow('does not bind its scope');
    expect(statementNames()).not.toContain('test.refused');
  });

  it('across tenants needs a reason', () => {
    expect(() => asSystem('because')).toThrow('needs a reason');
  });

  it('has a name of its own', () => {
    const make = (): unknown => scopedStatement('test.twice', 'SELECT 1 FROM users WHERE environment_id = $1');
    make();
    expect(make).toThrow('defined twice');
  });
});
