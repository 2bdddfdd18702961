import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { SsoProviders } from '../../src/organizations/index.js';
import { Envelope, SealedRecordsRegistry, generateMasterKey, parseKeyRing } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf } from '../support/audit.js';
import type { Refusal } from '../support/codes.js';
import { IdentityProvider } from '../support/identity-provider.js';
import { joined, ofOrganization } from '../support/invites.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { Standstill } from '../support/standstill.js';
import { World } from '../support/world.js';

interface Shown {
  id: string;
  clientId: string;
  maskedClientSecret: string;
  ssoDomain: string;
  emailDomain: string;
  enforceOnlySSO: boolean;
}

type Refused = Refusal & { payload: { reason?: string; field?: string; url?: string } };

const SECRET = 'canary-client-secret';

describe('single sign-on of an organization', () => {
  let test: TestApp;
  let provider: IdentityProvider;

  beforeAll(async () => {
    test = await sharedTestApp();
    provider = await IdentityProvider.start();
  });
  afterEach(() => provider.answerRightly());
  afterAll(async () => {
    await provider.stop();
    await test.close();
  });

  const pathOf = (world: World, id = ''): string => ofOrganization(world, `/ssoProvider${id && `/${id}`}`);
  const request = (changes: object = {}) => ({
    clientId: 'client',
    clientSecret: SECRET,
    ssoDomain: provider.issuer,
    emailDomain: 'acme.example',
    provider: 'okta',
    ...changes,
  });
  const create = <T = Shown>(world: World, changes: object = {}, as = world.owner) =>
    as.post<T>(pathOf(world), request(changes));
  const rowsOfWorld = (world: World) =>
    rowsOf<Record<string, unknown>>(test, 'SELECT * FROM sso_providers WHERE organization_id = $1', [
      world.ids.organizationId,
    ]);

  it('is set up, read, changed and removed', async () => {
    const world = await World.create(test);
    await world.owner.get(pathOf(world), { expect: 404 });
    const { status, body: made } = await create(world, { emailDomain: 'People.ACME.example' });
    expect(status).toBe(201);
    expect(made).toEqual({
      id: expect.any(String),
      clientId: 'client',
      maskedClientSecret: '••••••••',
      organizationId: world.ids.organizationId,
      ssoDomain: provider.issuer,
      emailDomain: 'people.acme.example',
      domainProof: {
        status: 'pending',
        dnsRecordType: 'TXT',
        name: '_gatehouse-sso.people.acme.example',
        value: expect.stringMatching(/^gatehouse-sso-verification=[0-9a-f]{48}$/),
      },
      provider: 'okta',
      enforceOnlySSO: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await world.owner.get(pathOf(world), { expect: 200 })).body).toEqual(made);
    const change = { clientId: 'other', enforceOnlySSO: false };
    const { body: changed } = await world.owner.put<Shown>(pathOf(world, made.id), change, { expect: 200 });
    expect(changed).toEqual({ ...made, ...change, updatedAt: expect.any(String) });
    await world.owner.delete(pathOf(world, made.id), { expect: 204 });
    await world.owner.delete(pathOf(world, made.id), { expect: 404 });
    await world.owner.put(pathOf(world, made.id), change, { expect: 404 });
    await world.owner.get(pathOf(world), { expect: 404 });
  });

  it('is not enforced while its domain is not proven: 422, and nothing else of the request is written', async () => {
    const world = await World.create(test);
    const { id } = (await create(world)).body;
    const request = { clientId: 'other', enforceOnlySSO: true };
    const { body } = await world.owner.put<{ code: string }>(pathOf(world, id), request, { expect: 422 });
    expect(body.code).toBe('single_sign_on_not_enforced');
    const { body: shown } = await world.owner.get<Shown>(pathOf(world), { expect: 200 });
    expect(shown).toMatchObject({ clientId: 'client', enforceOnlySSO: false });
  });

  it('never gives the secret to another provider than the one it was given for: it is asked for again', async () => {
    const world = await World.create(test);
    const { body: made } = await create(world);
    const elsewhere = { ssoDomain: `${provider.issuer}/elsewhere` };
    const { body } = await world.owner.put<{ code: string; payload: object }>(pathOf(world, made.id), elsewhere, {
      expect: 422,
    });
    expect([body.code, body.payload]).toEqual(['invalid_sso_provider', { field: 'clientSecret' }]);
    expect((await world.owner.get(pathOf(world))).body).toEqual(made);
    await world.owner.put(pathOf(world, made.id), { ssoDomain: provider.issuer }, { expect: 200 });
    await world.owner.put(pathOf(world, made.id), { ...elsewhere, clientSecret: `${SECRET}-2` }, { expect: 200 });
  });

  it('never gives the secret of a provider to the one before it that is asked meanwhile', async () => {
    const world = await World.create(test);
    const { id } = (await create(world)).body;
    const sql = "UPDATE sso_providers SET issuer = 'https://other.example' WHERE id = $1";
    provider.answer = (_request, response, document) => {
      const send = () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      void rowsOf(test, sql, [id]).then(send);
    };
    const back = { ssoDomain: provider.issuer };
    const { body } = await world.owner.put<Refused>(pathOf(world, id), back, { expect: 422 });
    expect([body.code, body.payload]).toEqual(['invalid_sso_provider', { field: 'clientSecret' }]);
    expect(await rowsOfWorld(world)).toMatchObject([{ issuer: 'https://other.example' }]);
  });

  it('is told to the record and in events, where another secret is a change and never shown', async () => {
    const world = await World.create(test);
    const { id } = (await create(world)).body;
    await world.owner.put(pathOf(world, id), { clientSecret: `${SECRET}-2` }, { expect: 200 });
    await world.owner.delete(pathOf(world, id), { expect: 204 });
    const told = await auditOf(test, world.ids.organizationId, { resourceId: id });
    expect(told.map(({ action }) => action)).toEqual([
      'ssoProvider.created',
      'ssoProvider.updated',
      'ssoProvider.deleted',
    ]);
    expect(told[1]!.changes).toEqual({ clientSecret: ['[redacted]', '[redacted]'] });
    const events = await eventsOf(test, world.ids.consoleEnvironmentId, id);
    expect(events).toHaveLength(3);
    expect(JSON.stringify([told, events])).not.toContain(SECRET);
  });

  it('keeps the client secret sealed, for the flow that signs in and for nobody else', async () => {
    const world = await World.create(test);
    const { body } = await create(world);
    const texts = [body, (await world.owner.get(pathOf(world))).body, await rowsOfWorld(world)];
    expect(JSON.stringify(texts)).not.toContain(SECRET);
    const [{ sealed_client_secret: sealed }] = (await rowsOfWorld(world)) as [{ sealed_client_secret: Buffer }];
    expect(sealed.includes(SECRET)).toBe(false);
    const providers = test.app.get(SsoProviders);
    const found = (await providers.find(body.id))!;
    const opened = await providers.openClientSecret(found);
    expect(opened.expose().toString()).toBe(SECRET);
    opened.wipe();
    const names = test.app
      .get(SealedRecordsRegistry)
      .all()
      .map(({ name }) => name);
    expect(names).toContain('sso_providers.sealed_client_secret');
    // Moved to another organization, it opens no more.
    const other = await World.create(test);
    await expect(providers.openClientSecret({ ...found, organizationId: other.ids.organizationId })).rejects.toThrow();
  });

  it('has its client secret under another master key when that is changed, and it opens all the same', async () => {
    const [old, next] = [generateMasterKey(), generateMasterKey()];
    const first = await startTestApp({ ownDatabase: true, masterKey: old, env: { ROLE: 'api' } });
    const second = await startTestApp({
      databaseUrl: first.databaseUrl,
      masterKey: `${next},${old}`,
      env: { ROLE: 'api' },
    });
    try {
      const world = await World.create(first);
      const setup = { ...request(), clientSecret: SECRET };
      const made = await world.owner.post<Shown>(ofOrganization(world, '/ssoProvider'), setup, { expect: 201 });
      const { organizationId } = world.ids;
      const context = { purpose: 'sso-provider', environmentId: organizationId, kind: 'client-secret' };
      const envelope = new Envelope(parseKeyRing(next));
      const secret = async (): Promise<string> => {
        const { id, sealedClientSecret } = (await second.app.get(SsoProviders).find(made.body.id))!;
        return (await envelope.open(sealedClientSecret, { ...context, subjectId: id })).expose().toString();
      };
      await expect(secret()).rejects.toThrow('unknown-key');
      const records = second.app
        .get(SealedRecordsRegistry)
        .all()
        .find(({ name }) => name === 'sso_providers.sealed_client_secret')!;
      expect(await records.count()).toBe(1);
      expect(await records.rewrapBatch(10)).toBe(1);
      expect([await records.count(), await records.rewrapBatch(10)]).toEqual([0, 0]);
      expect(await secret()).toBe(SECRET);
    } finally {
      await second.close();
      await first.close();
    }
  });

  it('exists once: of 50 set up at once, one is, and another is refused before anybody is asked', async () => {
    const world = await World.create(test);
    const answers = await Promise.all(Array.from({ length: 50 }, () => create<Refusal>(world)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(49).fill(422)]);
    const codes = new Set(answers.filter(({ status }) => status === 422).map(({ body }) => body.code));
    expect(codes).toEqual(new Set(['duplicate_exists']));
    expect(await rowsOfWorld(world)).toHaveLength(1);
    expect(await auditOf(test, world.ids.organizationId, { action: 'ssoProvider.created' })).toHaveLength(1);
    const asked = provider.paths.length;
    expect((await create(world)).status).toBe(422);
    expect(provider.paths).toHaveLength(asked);
  });

  it('keeps both of two changes of different fields, 50 at once', async () => {
    const world = await World.create(test);
    const { id } = (await create(world)).body;
    const changes = Array.from({ length: 50 }, (_, at) =>
      at % 2 ? { clientId: 'changed' } : { emailDomain: 'changed.example' },
    );
    await Promise.all(changes.map((change) => world.owner.put(pathOf(world, id), change, { expect: 200 })));
    const { body } = await world.owner.get<Shown>(pathOf(world));
    expect(body).toMatchObject({ clientId: 'changed', emailDomain: 'changed.example' });
  });

  it('is for admins', async () => {
    const world = await World.create(test);
    const [admin, developer] = [await joined(world, 'admin'), await joined(world, 'developer')];
    expect((await create(world, {}, developer.client)).status).toBe(403);
    await developer.client.get(pathOf(world), { expect: 403 });
    const made = await create(world, {}, admin.client);
    expect(made.status).toBe(201);
    await developer.client.delete(pathOf(world, made.body.id), { expect: 403 });
    await admin.client.delete(pathOf(world, made.body.id), { expect: 204 });
  });

  it.each<[string, object]>([
    ['clientId', { clientId: ' ' }],
    ['clientId', { clientId: 'client\n1' }],
    ['clientSecret', { clientSecret: '' }],
    ['clientSecret', { clientSecret: `${SECRET}\n` }],
    ['clientSecret', { clientSecret: 'gehéim' }],
    ['ssoDomain', { ssoDomain: '' }],
    ['ssoDomain', { ssoDomain: 'http://idp.example.com' }],
    ['ssoDomain', { ssoDomain: 'https://user:pass@idp.example.com' }],
    ['ssoDomain', { ssoDomain: 'idp.example.com?x=1' }],
    ['emailDomain', { emailDomain: 'com' }],
    ['emailDomain', { emailDomain: 'ann@acme.example' }],
  ])('names %s when it is unusable: %j', async (field, changes) => {
    const world = await World.create(test);
    const { status, body } = await create<Refused>(world, changes);
    expect([status, body.code, body.payload.field]).toEqual([422, 'invalid_sso_provider', field]);
    expect(await rowsOfWorld(world)).toEqual([]);
  });

  describe('refuses a provider', () => {
    const reasonOf = async (world: World, changes: object = {}): Promise<string> => {
      const { status, body } = await create<Refused>(world, changes);
      expect([status, body.code]).toEqual([422, 'sso_discovery_failed']);
      expect(await rowsOfWorld(world)).toEqual([]);
      return body.payload.reason!;
    };

    it.each<[string, string, Record<string, unknown>]>([
      ['of another issuer', 'issuer', { issuer: 'https://evil.example' }],
      ['without an issuer', 'issuer', { issuer: null }],
      ['without a token endpoint', 'endpoint', { token_endpoint: undefined }],
      ['with an endpoint of plain http', 'endpoint', { token_endpoint: 'http://idp.example.com/token' }],
      ['with an endpoint inside the network', 'endpoint', { jwks_uri: 'https://169.254.169.254/keys' }],
      ['with an endpoint that is a list', 'endpoint', { authorization_endpoint: ['https://a.example'] }],
      ['with an endpoint that is a script', 'endpoint', { authorization_endpoint: 'javascript:alert(1)' }],
      ['without the response type code', 'response_type', { response_types_supported: ['id_token'] }],
      ['that takes no secret', 'client_authentication', { token_endpoint_auth_methods_supported: ['private_key_jwt'] }],
      ['that takes only pushed requests', 'pushed_requests', { require_pushed_authorization_requests: true }],
      ['that signs with the secret alone', 'algorithm', { id_token_signing_alg_values_supported: ['HS256', 'none'] }],
      ['without algorithms', 'algorithm', { id_token_signing_alg_values_supported: undefined }],
    ])('%s', async (_what, reason, changes) => {
      provider.answerWith(changes);
      expect(await reasonOf(await World.create(test))).toBe(reason);
    });

    it('whose issuer differs by a slash', async () => {
      provider.answerWith({ issuer: `${provider.issuer}/` });
      expect(await reasonOf(await World.create(test))).toBe('issuer');
    });

    it.each<[string, string, string | Buffer]>([
      ['text', 'document', '<html></html>'],
      ['a list', 'document', '[]'],
      ['null', 'document', 'null'],
      ['bytes that are no text', 'document', Buffer.from([0x7b, 0xff, 0x7d])],
      ['nothing', 'document', ''],
      ['more than 64 KB', 'too_long', `{"a":"${'x'.repeat(64 * 1024)}"}`],
    ])('that answers with %s', async (_what, reason, text) => {
      provider.answer = (_request, response) => void response.writeHead(200).end(text);
      expect(await reasonOf(await World.create(test))).toBe(reason);
    });

    it.each([204, 302, 401, 404, 500])('that answers %d, and follows no redirect', async (status) => {
      const asked = provider.paths.length;
      provider.answer = (_request, response) =>
        void response.writeHead(status, { location: `${provider.issuer}/elsewhere` }).end();
      expect(await reasonOf(await World.create(test))).toBe('status');
      expect(provider.paths).toHaveLength(asked + 1);
    });

    it('that takes longer than five seconds', async () => {
      provider.answer = (_request, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(' '), 100);
        response.on('close', () => clearInterval(drip));
      };
      const world = await World.create(test);
      const [started, standstill] = [performance.now(), Standstill.watch()];
      expect(await reasonOf(world)).toBe('timeout');
      expect(performance.now() - started).toBeLessThan(7_000 + standstill.ms);
      standstill.stop();
    }, 120_000);

    it('that is not there', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      await new Promise((resolve) => server.close(resolve));
      expect(await reasonOf(await World.create(test), { ssoDomain: `http://127.0.0.1:${port}` })).toBe('refused');
    });

    it('when a setup is changed, which stays as it was', async () => {
      const world = await World.create(test);
      const { body: made } = await create(world);
      provider.answerWith({ issuer: 'https://evil.example' });
      const change = { ssoDomain: `${provider.issuer}/tenant`, clientId: 'other' };
      await world.owner.put(pathOf(world, made.id), change, { expect: 422 });
      expect((await world.owner.get(pathOf(world))).body).toEqual(made);
      provider.answerRightly();
      const withSecret = { ...change, clientSecret: `${SECRET}-3` };
      const { body } = await world.owner.put<Shown>(pathOf(world, made.id), withSecret, { expect: 200 });
      expect(body.ssoDomain).toBe(`${provider.issuer}/tenant`);
      expect(provider.paths.at(-1)).toBe('/tenant/.well-known/openid-configuration');
    });
  });

  it('reaches nothing inside the network, and does not tell what is there', async () => {
    const guarded = await startTestApp({ env: { ROLE: 'api', EGRESS_ALLOW: '192.0.2.1' } });
    try {
      const world = await World.create(guarded);
      const asked = provider.paths.length;
      const port = new URL(provider.origin).port;
      const domains = [
        '127.0.0.1',
        'localhost',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '0x7f.1',
        '169.254.169.254',
        '10.0.0.1',
      ];
      for (const host of domains) {
        const ssoDomain = `https://${host}:${port}`;
        const { status, body } = await create<Refused>(world, { ssoDomain });
        expect([host, status, body.payload.reason]).toEqual([host, 422, 'refused']);
      }
      expect((await create<Refused>(world, { ssoDomain: provider.issuer })).body.payload.reason).toBe('refused');
      expect(provider.paths).toHaveLength(asked);
    } finally {
      await guarded.close();
    }
  });
});
