import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Clock } from '../../src/common/clock.js';
import { ActiveHostnames } from '../../src/environments/index.js';
import { HostnameChecksJob } from '../../src/environments/hostnames/hostname-checks.job.js';
import { Jobs } from '../../src/queue/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf, lastAudit } from '../support/audit.js';
import { DnsServer } from '../support/dns-server.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, fillRows, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { RawClient } from '../support/surface/raw-client.js';
import { World } from '../support/world.js';

interface VerificationRecord {
  dnsRecordType: 'TXT' | 'CNAME';
  verificationType: string;
  name: string;
  value: string;
}

interface Hostname {
  id: string;
  hostname: string;
  usage: string;
  status: string;
  verificationRecords: VerificationRecord[];
  errors?: string;
}

const TARGET = 'edge.gatehouse.example.net';

describe('host names of a team', () => {
  let dns: DnsServer;
  let test: TestApp;
  let job: HostnameChecksJob;

  beforeAll(async () => {
    dns = await DnsServer.start();
    const env = { DNS_SERVERS: dns.address, CUSTOM_HOSTNAME_TARGET: TARGET, PUBLIC_URL: 'https://id.example.net' };
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api', ...env } });
    job = test.app.get(HostnameChecksJob);
  });
  afterAll(async () => {
    await test.close();
    dns.close();
  });

  const newName = (): string => `auth.w${randomBytes(6).toString('hex')}.example.com`;
  const create = (world: World, hostname: string) =>
    world.owner.post<Hostname & { code: string; hint: string }>(world.path('/custom/hostnames'), {
      hostname,
      usage: 'cookies',
    });
  const register = async (world: World, hostname: string): Promise<Hostname> => {
    const { status, body } = await create(world, hostname);
    expect(status).toBe(201);
    return body;
  };
  const list = async (world: World): Promise<Hostname[]> => {
    const { body } = await world.api.get<{ customHostnames: Hostname[] }>(world.path('/custom/hostnames'));
    return body.customHostnames;
  };
  const stateOf = async (world: World, { id }: Hostname): Promise<[status: string, errors: string | undefined]> => {
    const found = (await list(world)).find((each) => each.id === id)!;
    return [found.status, found.errors];
  };
  const publish = ({ verificationRecords }: Hostname): void => {
    for (const { dnsRecordType, name, value } of verificationRecords) dns.set(dnsRecordType, name, value);
  };
  const withdraw = ({ verificationRecords }: Hostname): void => {
    for (const { dnsRecordType, name } of verificationRecords) dns.remove(dnsRecordType, name);
  };
  const makeDue = (...names: Hostname[]) =>
    rowsOf(test, `UPDATE custom_hostnames SET next_check_at = now() WHERE id = ANY ($1)`, [names.map(({ id }) => id)]);
  const check = async (...names: Hostname[]): Promise<void> => {
    await makeDue(...names);
    await job.run();
  };
  /** How long after the last look the next one is due, in seconds. */
  const nextCheck = async ({ id }: Hostname): Promise<number> => {
    const sql = 'SELECT extract(epoch FROM next_check_at - checked_at)::float AS s FROM custom_hostnames WHERE id = $1';
    return (await rowsOf<{ s: number }>(test, sql, [id]))[0]!.s;
  };
  const isDue = async ({ id }: Hostname): Promise<boolean> => {
    const sql = 'SELECT next_check_at <= now() AS due FROM custom_hostnames WHERE id = $1';
    return (await rowsOf<{ due: boolean }>(test, sql, [id]))[0]!.due;
  };
  const activeOf = (world: World) => test.app.get(ActiveHostnames).list(world.environmentId, 'cookies');

  it('are pending at first, with the records that prove them', async () => {
    const world = await World.create(test);
    const name = newName();
    const made = await register(world, name.replace('auth', 'AUTH'));
    expect(made).toEqual({
      id: expect.any(String),
      hostname: name,
      usage: 'cookies',
      status: 'pending',
      verificationRecords: [
        {
          dnsRecordType: 'TXT',
          verificationType: 'ownership',
          name: `_gatehouse-challenge.${name}`,
          value: expect.stringMatching(/^gatehouse-verification=[0-9a-f]{48}$/),
        },
        { dnsRecordType: 'CNAME', verificationType: 'alias', name, value: TARGET },
      ],
    });
    expect(await list(world)).toEqual([made]);
    expect(await activeOf(world)).toEqual([]);
  });

  it('are active once both records are found, which is recorded and published', async () => {
    const world = await World.create(test);
    const made = await register(world, newName());
    publish(made);
    await check(made);
    expect(await stateOf(world, made)).toEqual(['active', undefined]);
    expect(await activeOf(world)).toEqual([made.hostname]);
    expect(await nextCheck(made)).toBe(7 * 86_400);
    expect(await lastAudit(test, world.ids.organizationId, 'customHostname.updated')).toMatchObject({
      actor: { kind: 'service' },
      resourceId: made.id,
      environmentId: world.environmentId,
      changes: { status: ['pending', 'active'] },
    });
    const told = await eventsOf(test, world.environmentId, made.id);
    expect(told.map(({ name, data }) => [name, data['status']])).toEqual([
      ['customHostname.created', 'pending'],
      ['customHostname.updated', 'active'],
    ]);
  });

  it.each([
    ['no record at all', [], 'There is no TXT record'],
    ['the TXT record alone', ['TXT'], 'There is no CNAME record'],
    ['the CNAME record alone', ['CNAME'], 'There is no TXT record'],
  ] as const)('stay pending with %s, and say what is missing', async (_, published, message) => {
    const world = await World.create(test);
    const made = await register(world, newName());
    for (const { dnsRecordType, name, value } of made.verificationRecords) {
      if ((published as readonly string[]).includes(dnsRecordType)) dns.set(dnsRecordType, name, value);
    }
    await check(made);
    expect(await stateOf(world, made)).toEqual(['pending', expect.stringContaining(message)]);
    expect(await nextCheck(made)).toBe(60);
    expect(await auditOf(test, world.ids.organizationId, { action: 'customHostname.updated' })).toEqual([]);
  });

  it('are not proven by wrong values, nor by the challenge of another environment', async () => {
    const [world, other] = [await World.create(test), await World.create(test)];
    const name = newName();
    const [made, theirs] = [await register(world, name), await register(other, name)];
    expect(made.verificationRecords[0]!.value).not.toBe(theirs.verificationRecords[0]!.value);
    publish(theirs);
    await check(made);
    expect(await stateOf(world, made)).toEqual(['pending', expect.stringContaining('Another TXT record')]);
    publish(made);
    dns.set('CNAME', name, `${TARGET}.evil.test`);
    await check(made);
    expect(await stateOf(world, made)).toEqual(['pending', expect.stringContaining('Another CNAME record')]);
  });

  it('are verified by a record among others, in several strings, and with an alias in any case', async () => {
    const world = await World.create(test);
    const made = await register(world, newName());
    const [txt, cname] = made.verificationRecords as [VerificationRecord, VerificationRecord];
    dns.set('TXT', txt.name, 'v=spf1 -all', `${txt.value.slice(0, 30)}|${txt.value.slice(30)}`);
    dns.set('CNAME', cname.name, TARGET.toUpperCase());
    await check(made);
    expect(await stateOf(world, made)).toEqual(['active', undefined]);
  });

  it('are only for their registered usage', async () => {
    const world = await World.create(test);
    const request = { hostname: newName(), usage: 'globalWallet' };
    const { body } = await world.owner.post<Hostname>(world.path('/custom/hostnames'), request, { expect: 201 });
    publish(body);
    await check(body);
    expect(await stateOf(world, body)).toEqual(['active', undefined]);
    expect(await activeOf(world)).toEqual([]);
    const names = await test.app.get(ActiveHostnames).list(world.environmentId, 'globalWallet');
    expect(names).toEqual([request.hostname]);
  });

  it('stay as they are while the DNS fails', async () => {
    const world = await World.create(test);
    const [proven, waiting] = [await register(world, newName()), await register(world, newName())];
    publish(proven);
    await check(proven);
    for (const { verificationRecords } of [proven, waiting]) dns.misbehave(verificationRecords[0]!.name, 'fails');
    publish(waiting);
    await check(proven, waiting);
    expect(await stateOf(world, proven)).toEqual(['active', undefined]);
    expect(await nextCheck(proven)).toBe(3_600);
    expect(await stateOf(world, waiting)).toEqual(['pending', expect.stringContaining('does not answer')]);
  });

  it('become inactive when a later check misses a record, and active again with it', async () => {
    const world = await World.create(test);
    const made = await register(world, newName());
    publish(made);
    await check(made);
    withdraw(made);
    await job.run();
    expect(await stateOf(world, made)).toEqual(['active', undefined]);
    await check(made);
    expect(await stateOf(world, made)).toEqual(['error', expect.stringContaining('There is no TXT record')]);
    expect(await activeOf(world)).toEqual([]);
    publish(made);
    await check(made);
    expect(await stateOf(world, made)).toEqual(['active', undefined]);
    const audit = await auditOf(test, world.ids.organizationId, { action: 'customHostname.updated' });
    expect(audit.map(({ changes }) => changes['status'])).toEqual([
      ['pending', 'active'],
      ['active', 'error'],
      ['error', 'active'],
    ]);
  });

  it('are in error when a week brought no records', async () => {
    const world = await World.create(test);
    const made = await register(world, newName());
    const age = (seconds: number) =>
      rowsOf(test, 'UPDATE custom_hostnames SET status_since = now() - make_interval(secs => $2) WHERE id = $1', [
        made.id,
        seconds,
      ]);
    await age(7 * 86_400 - 30);
    await check(made);
    expect((await stateOf(world, made))[0]).toBe('pending');
    // A look that changes nothing begins no new week.
    await rowsOf(
      test,
      "UPDATE custom_hostnames SET status_since = status_since - interval '30 seconds' WHERE id = $1",
      [made.id],
    );
    await check(made);
    expect((await stateOf(world, made))[0]).toBe('error');
  });

  it('are given their week by the clock of the database, though that of the worker is a year ahead', async () => {
    const world = await World.create(test);
    const made = await register(world, newName());
    const ahead = jest.spyOn(test.app.get(Clock), 'timestamp').mockReturnValue(Date.now() + 365 * 86_400_000);
    await check(made).finally(() => ahead.mockRestore());
    expect((await stateOf(world, made))[0]).toBe('pending');
    expect(await nextCheck(made)).toBe(60);
  });

  it('are active in one environment only, even if 10 prove one concurrently', async () => {
    const name = newName();
    const worlds = await Promise.all(Array.from({ length: 10 }, () => World.create(test)));
    const made = await Promise.all(worlds.map((world) => register(world, name)));
    publish(made[0]!);
    dns.set('TXT', made[0]!.verificationRecords[0]!.name, ...made.map((each) => each.verificationRecords[0]!.value));
    await check(...made);
    const states = await Promise.all(worlds.map((world, at) => stateOf(world, made[at]!)));
    expect(states.filter(([status]) => status === 'active')).toHaveLength(1);
    const others = states.filter(([status]) => status !== 'active');
    for (const [, errors] of others) expect(errors).toContain('active in another environment');
  });

  it('pass to whoever proves them once the holder no longer can, without waiting a week', async () => {
    const [world, next] = [await World.create(test), await World.create(test)];
    const name = newName();
    const [held, wanted] = [await register(world, name), await register(next, name)];
    publish(held);
    await check(held);
    publish(wanted);
    await check(wanted);
    expect((await stateOf(next, wanted))[1]).toContain('active in another environment');
    expect(await isDue(held)).toBe(true);
    await job.run();
    expect((await stateOf(world, held))[0]).toBe('error');
    await check(wanted);
    expect(await stateOf(next, wanted)).toEqual(['active', undefined]);
  });

  it('are checked once by two concurrent jobs', async () => {
    const world = await World.create(test);
    const made = await Promise.all(Array.from({ length: 20 }, () => register(world, newName())));
    made.forEach(publish);
    await makeDue(...made);
    const { sent } = await countStatements(() => Promise.all(Array.from({ length: 10 }, () => job.run())));
    // Those of other tests may be due as well, and a resolver asks twice when an answer is late.
    const ids = made.map(({ id }) => id);
    const looked = sent.filter(({ name }) => name === 'customHostnames.enter').map(({ values }) => String(values[1]));
    expect(looked.filter((id) => ids.includes(id)).toSorted()).toEqual(ids.toSorted());
    expect(await auditOf(test, world.ids.organizationId, { action: 'customHostname.updated' })).toHaveLength(20);
  });

  it('are left to other instances by one that stops', async () => {
    const world = await World.create(test);
    const made = await register(world, newName());
    const stopping = jest.spyOn(test.app.get(Jobs), 'isStopping', 'get').mockReturnValue(true);
    await check(made);
    stopping.mockRestore();
    expect(await isDue(made)).toBe(true);
  });

  it('that are deleted during a check stay deleted', async () => {
    const world = await World.create(test);
    const made = await register(world, newName());
    publish(made);
    await makeDue(made);
    await Promise.all([job.run(), world.owner.delete(world.path(`/custom/hostnames/${made.id}`), { expect: 204 })]);
    expect(await list(world)).toEqual([]);
    await world.owner.delete(world.path(`/custom/hostnames/${made.id}`), { expect: 404 });
    expect(await lastAudit(test, world.ids.organizationId, 'customHostname.deleted')).toMatchObject({
      changes: { hostname: [made.hostname, null] },
    });
  });

  it.each(['example.com', 'acme.vercel.app', 'auth.corp.internal', 'id.example.net', `a.${TARGET}`, 'a-.example.com'])(
    'refuse %s with a code and what to do, and write nothing',
    async (hostname) => {
      const world = await World.create(test);
      const { status, body } = await create(world, hostname);
      expect([status, body.code, body.hint]).toEqual([422, 'invalid_custom_hostname', expect.any(String)]);
      expect(await list(world)).toEqual([]);
    },
  );

  it.each([
    '',
    '-a.example.com',
    'a',
    '*.example.com',
    'a.example.com.',
    'a.example.com:8443',
    '127.0.0.1',
    'a b.example.com',
  ])('refuse the text %p as invalid', async (hostname) => {
    const world = await World.create(test);
    expect((await create(world, hostname)).body.code).toBe('validation_failed');
  });

  it('have 255 characters at most in a request, of which 253 can be a name', async () => {
    const world = await World.create(test);
    const of = (length: number): string => {
      const labels = Array.from({ length: 3 }, () => 'a'.repeat(61)).join('.');
      return `${'b'.repeat(length - labels.length - '.example.com'.length - 1)}.${labels}.example.com`;
    };
    const codes = [];
    for (const length of [252, 253, 254, 255, 256]) {
      expect(of(length)).toHaveLength(length);
      const { status, body } = await create(world, of(length));
      codes.push(status === 201 ? status : body.code);
    }
    expect(codes).toEqual([201, 201, 'invalid_custom_hostname', 'invalid_custom_hostname', 'validation_failed']);
  });

  it('exist once, with a limit of 20, under 50 concurrent requests', async () => {
    const world = await World.create(test);
    const name = newName();
    const same = await Promise.all(Array.from({ length: 50 }, () => create(world, name)));
    expect(same.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(same.filter(({ body }) => body.code === 'duplicate_exists')).toHaveLength(49);
    const many = await Promise.all(Array.from({ length: 50 }, () => create(world, newName())));
    expect(many.filter(({ status }) => status === 201)).toHaveLength(19);
    expect(many.filter(({ body }) => body.code === 'too_many_custom_hostnames')).toHaveLength(31);
    expect(await list(world)).toHaveLength(20);
  });

  it('never depend on request headers, neither the records to set nor the active state', async () => {
    const world = await World.create(test);
    const [asked, host] = [newName(), newName()];
    const client = new RawClient(test.url);
    const headers = { host, 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const path = `/api/v0${world.path('/custom/hostnames')}`;
    const body = JSON.stringify({ hostname: asked, usage: 'cookies' });
    const token = await world.provenSession();
    const answer = await client.send({ method: 'POST', path, token, headers, body });
    expect(answer.status).toBe(201);
    expect((answer.body as Hostname).verificationRecords.map(({ value }) => value)).toEqual([
      expect.stringMatching(/^gatehouse-verification=/),
      TARGET,
    ]);
    await client.send({ method: 'GET', path, token, headers });
    expect((await list(world)).map(({ hostname, status }) => [hostname, status])).toEqual([[asked, 'pending']]);
    expect(await activeOf(world)).toEqual([]);
    client.close();
  });

  it('that are due are found by an index among many', async () => {
    const world = await World.create(test);
    await fillRows(
      test,
      `INSERT INTO custom_hostnames (environment_id, id, hostname, usage, status, challenge, next_check_at)
       SELECT $1, gen_random_uuid(), 'h' || n || '.example.org', 'cookies', 'active', 'x', now() + interval '1 day'
       FROM generate_series(1, 20000) n`,
      [world.environmentId],
    );
    await rowsOf(test, 'ANALYZE custom_hostnames');
    const { sent } = await countStatements(() => job.run());
    const { text, values } = sent.find(({ name }) => name === 'customHostnames.claim')!;
    const plan = await rowsOf<{ 'QUERY PLAN': string }>(test, `EXPLAIN ${text}`, [...values]);
    const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(lines).toContain('Index Scan using custom_hostnames_due');
    expect(lines).not.toContain('Seq Scan');
  });
});

describe('an instance that runs jobs', () => {
  it('checks a name as soon as it is registered', async () => {
    const dns = await DnsServer.start();
    const env = { ROLE: 'all', DNS_SERVERS: dns.address, PUBLIC_URL: 'https://id.example.net' };
    const test = await startTestApp({ ownDatabase: true, env });
    try {
      const world = await World.create(test);
      const hostname = 'auth.example.com';
      dns.set('CNAME', hostname, 'id.example.net');
      await world.owner.post(world.path('/custom/hostnames'), { hostname, usage: 'globalWallet' }, { expect: 201 });
      const errors = async (): Promise<string | undefined> => {
        const { body } = await world.api.get<{ customHostnames: Hostname[] }>(world.path('/custom/hostnames'));
        return body.customHostnames[0]!.errors;
      };
      const seen = await eventually('the name is looked at', errors);
      expect(seen).toContain(`There is no TXT record at _gatehouse-challenge.${hostname}`);
    } finally {
      await test.close();
      dns.close();
    }
  });
});
