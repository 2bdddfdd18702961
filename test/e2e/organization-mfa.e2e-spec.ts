import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ElevatedScope } from '../../src/auth/index.js';
import { MfaSettingsService, SERVICE, type MfaDeviceType } from '../../src/organizations/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { TestClient, type Answer } from '../support/client.js';
import { listOperations } from '../support/contract/openapi-document.js';
import { provenOwner } from '../support/proven-owner.js';
import { addDevice, codeOf, refreshed, roomInStep, steadyDevice } from '../support/second-factor.js';
import { apiDocument, operations, type ApiOperation } from '../support/surface/operations.js';
import { peerSettings } from '../support/suites/peers.js';
import { RawClient } from '../support/surface/raw-client.js';
import { Tenant } from '../support/surface/tenant.js';
import { validCall } from '../support/surface/valid-call.js';
import { auditOf } from '../support/audit.js';
import { answer, inviteGuest, joined, ofOrganization } from '../support/invites.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Refusal {
  code?: string;
}

/** The same operation, called so that it asks for a proof, and otherwise. */
type Conditional = Record<'asking' | 'other', (as: TestClient) => Promise<Answer<Refusal>>>;

interface Setting {
  mfaDeviceType: string;
  enabledAt: string | null;
}

describe('the second factors of an organization', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });
  afterAll(() => test.close());

  const pathOf = (world: World, rest = ''): string => ofOrganization(world, `/mfaSettings${rest}`);
  const listOf = async (world: World, as = world.owner): Promise<Setting[]> =>
    (await as.get<{ mfaSettings: Setting[] }>(pathOf(world), { expect: 200 })).body.mfaSettings;
  const changesOf = (world: World) =>
    auditOf(test, world.ids.organizationId, { action: 'organization.mfaSettings.updated' });

  it('are none at first, and are admitted and refused one by one', async () => {
    const world = await World.create(test);
    const none = ['totp', 'passkey', 'email'].map((mfaDeviceType) => ({ mfaDeviceType, enabledAt: null }));
    expect(await listOf(world)).toEqual(none);
    const enabled = await world.owner.put<Setting>(pathOf(world, '/email/enable'), undefined, { expect: 200 });
    expect(enabled.body).toEqual({ mfaDeviceType: 'email', enabledAt: expect.any(String) });
    expect(await listOf(world)).toEqual([none[0], none[1], enabled.body]);
    const settings = test.app.get(MfaSettingsService);
    expect(await settings.listAdmitted(world.ids.organizationId)).toEqual(['email']);
    const disabled = await world.owner.put<Setting>(pathOf(world, '/email/disable'), undefined, { expect: 200 });
    expect(disabled.body).toEqual(none[2]);
    expect(await settings.listAdmitted(world.ids.organizationId)).toEqual([]);
  });

  it('are told to the record and in events once for each change', async () => {
    const world = await World.create(test);
    const calls = ['enable', 'enable', 'disable', 'disable'];
    for (const call of calls) await world.owner.put(pathOf(world, `/email/${call}`), undefined, { expect: 200 });
    const told = await changesOf(world);
    expect(told.map(({ changes }) => changes['enabledAt'])).toEqual([
      [null, expect.any(String)],
      [expect.any(String), null],
    ]);
    const events = await eventsOf(test, world.ids.consoleEnvironmentId, told[0]!.resourceId);
    expect(events.map(({ data }) => data['organizationId'])).toEqual(Array(2).fill(world.ids.organizationId));
  });

  it('change once when they are admitted 50 times at once', async () => {
    const world = await World.create(test);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.owner.put<Setting>(pathOf(world, '/email/enable'))),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.enabledAt}`)).size).toBe(1);
    expect(await changesOf(world)).toHaveLength(1);
  });

  it('are seen by every member and changed by owners alone', async () => {
    const world = await World.create(test);
    for (const role of ['admin', 'developer', 'viewer'] as const) {
      const { client } = await joined(world, role);
      expect(await listOf(world, client)).toHaveLength(3);
      for (const call of ['enable', 'disable']) {
        await client.put(pathOf(world, `/totp/${call}`), undefined, { expect: 403 });
      }
    }
    expect(await changesOf(world)).toEqual([]);
  });

  it.each(['sms', 'TOTP', 'totp%20', '', 'constructor', '%00'])('do not include %p', async (type) => {
    const world = await World.create(test);
    const response = await fetch(`${test.url}/api/v0${pathOf(world, `/${type}/enable`)}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${await world.provenSession()}` },
    });
    expect(response.status).toBe(404);
  });

  it('are asked of members with a session, once one that people register is admitted', async () => {
    const world = await World.create(test);
    const { consoleEnvironmentId } = world.ids;
    await roomInStep();
    const { client, email } = await joined(world, 'admin');
    const read = (as: TestClient) => as.get<{ code?: string }>(pathOf(world));
    for (const type of ['email', 'totp']) {
      expect((await read(client)).status).toBe(200);
      await world.owner.put(pathOf(world, `/${type}/enable`), undefined, { expect: 200 });
    }
    const refused = await read(client);
    expect([refused.status, refused.body.code]).toEqual([403, 'member_factor_required']);
    expect((await world.owner.get(pathOf(world))).status).toBe(200);

    // Somebody without a device registers one at the console, and from then on gives it at each sign-in.
    const { jwt } = await world.signIn(email, { environmentId: consoleEnvironmentId });
    const { secret } = await addDevice(world, jwt, consoleEnvironmentId);
    const raised = await refreshed(world, jwt, consoleEnvironmentId);
    expect((await read(new TestClient(test.url, raised))).status).toBe(200);
    const again = await world.signIn(email, { environmentId: consoleEnvironmentId });
    expect((await read(new TestClient(test.url, again.jwt))).status).toBe(403);
    const given = await world.anonymous.post<{ jwt: string }>(
      world.sdk('/users/mfa/auth/totp', consoleEnvironmentId),
      { code: codeOf(secret) },
      { token: again.jwt, expect: 200 },
    );
    const session = new TestClient(test.url, given.body.jwt);
    expect((await read(session)).status).toBe(200);

    // Another organization asks for what it admits, and this one for that alone.
    const other = await World.create(test);
    expect((await read(await other.ownerSession())).status).toBe(404);
    const admit = (type: MfaDeviceType, admitted: boolean) =>
      test.app.get(MfaSettingsService).admit(world.ids.organizationId, type, admitted, SERVICE);
    await admit('passkey', true);
    await admit('totp', false);
    expect((await read(session)).body.code).toBe('member_factor_required');
    await admit('passkey', false);
    expect((await read(client)).status).toBe(200);
  });

  it('are asked for a personal token too, which reaches the organization without one afterwards', async () => {
    const world = await World.create(test);
    const { consoleEnvironmentId } = world.ids;
    await roomInStep();
    const { email } = await joined(world, 'admin');
    await world.owner.put(pathOf(world, '/totp/enable'), undefined, { expect: 200 });
    const { jwt } = await world.signIn(email, { environmentId: consoleEnvironmentId });
    const make = async (token: string) =>
      new TestClient(test.url, token).post<{ code?: string; token?: { rawToken: string } }>('/user/tokens', {
        note: 'mine',
      });
    const refused = await make(jwt);
    expect([refused.status, refused.body.code]).toEqual([403, 'member_factor_required']);
    await addDevice(world, jwt, consoleEnvironmentId);
    const { status, body } = await make(await refreshed(world, jwt, consoleEnvironmentId));
    expect(status).toBe(201);
    await new TestClient(test.url, body.token!.rawToken).get(pathOf(world), { expect: 200 });
  });

  it('are asked for a personal token by every organization of the person', async () => {
    const [world, other] = [await World.create(test), await World.create(test)];
    const { consoleEnvironmentId } = world.ids;
    await roomInStep();
    const guest = await joined(world, 'viewer');
    const { id } = await inviteGuest(other, guest);
    expect((await answer(guest, id, 'accepted')).status).toBe(200);
    const { jwt } = await world.signIn(guest.email, { environmentId: consoleEnvironmentId });
    await addDevice(world, jwt, consoleEnvironmentId);
    const raised = new TestClient(test.url, await refreshed(world, jwt, consoleEnvironmentId));
    const make = () => raised.post<Refusal>('/user/tokens', { note: 'mine' });
    const settings = test.app.get(MfaSettingsService);
    const ask = async (of: World, type: MfaDeviceType, isAsked: boolean) =>
      settings.admit(of.ids.organizationId, type, isAsked, SERVICE);
    for (const [one, another] of [
      [world, other],
      [other, world],
    ] as const) {
      await ask(one, 'totp', true);
      await ask(another, 'passkey', true);
      expect((await make()).body.code).toBe('member_factor_required');
      await ask(another, 'passkey', false);
      expect((await make()).status).toBe(201);
      await ask(one, 'totp', false);
    }
  });

  it('are what a member keeps one device for, as long as one of their organizations asks for it', async () => {
    const world = await World.create(test);
    const { consoleEnvironmentId } = world.ids;
    await roomInStep();
    const { email } = await joined(world, 'viewer');
    await world.owner.put(pathOf(world, '/totp/enable'), undefined, { expect: 200 });
    const { jwt: token } = await world.signIn(email, { environmentId: consoleEnvironmentId });
    const device = await steadyDevice(world, token, consoleEnvironmentId);
    const { body } = await world.anonymous.post<{ mfaToken: string }>(
      world.sdk('/users/mfa/auth/totp', consoleEnvironmentId),
      { code: await device.code(), createMfaToken: { singleUse: true } },
      { token, expect: 200 },
    );
    const headers = { 'x-mfa-auth-token': body.mfaToken };
    const path = world.sdk(`/users/mfa/${device.id}`, consoleEnvironmentId);
    const remove = () => world.anonymous.delete(path, { token, headers });
    expect((await remove()).status).toBe(400);
    await test.app.get(MfaSettingsService).admit(world.ids.organizationId, 'totp', false, SERVICE);
    expect((await remove()).status).toBe(204);
  });

  it('are changed with a proof of the last minutes, in a session that gave the factor that is asked', async () => {
    const world = await World.create(test);
    const { consoleEnvironmentId } = world.ids;
    await roomInStep();
    const set = async (token: string, call: string) => {
      const as = new TestClient(test.url, token);
      const { status, body } = await as.put<Refusal>(pathOf(world, `/totp/${call}`));
      return [status, body.code];
    };
    expect(await set(world.ownerToken, 'enable')).toEqual([403, 'fresh_proof_required']);
    const { jwt } = await world.provenSignIn();
    expect(await set(jwt, 'enable')).toEqual([200, undefined]);
    expect(await set(world.ownerToken, 'disable')).toEqual([403, 'fresh_proof_required']);
    expect(await set(jwt, 'disable')).toEqual([403, 'member_factor_required']);
    await addDevice(world, jwt, consoleEnvironmentId);
    expect(await set(await refreshed(world, jwt, consoleEnvironmentId), 'disable')).toEqual([200, undefined]);
    expect(await changesOf(world)).toHaveLength(2);
  });
});

describe('what cannot be undone or shows a secret', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api', ...(await peerSettings()) } });
  });
  afterAll(() => test.close());

  const age = (sessionId: string) =>
    rowsOf(test, "UPDATE sessions SET created_at = created_at - interval '6 min' WHERE id = $1", [sessionId]);
  const asking = operations.filter(({ needsSession }) => needsSession);

  const scopes = new Map(
    listOperations(apiDocument).map(({ operationId, operation }) => [operationId, operation['x-recent-proof']]),
  );
  const scopeOf = ({ id }: ApiOperation): ElevatedScope => scopes.get(id) as ElevatedScope;

  it('is some operations', () => {
    expect(asking.map((operation) => `${operation.id} ${scopeOf(operation)}`).toSorted()).toEqual([
      'applyPromotion console:settings:update',
      'createCustomHostname console:settings:update',
      'createDelegatedCredentials console:settings:update',
      'createExport console:settings:update',
      'createProvider console:settings:update',
      'createProviderOfType console:settings:update',
      'createSsoProvider console:sso:update',
      'createUserApiToken console:settings:update',
      'delegateOwnership console:settings:update',
      'deleteProjectById console:project:delete',
      'deleteSsoProvider console:sso:update',
      'disableMfaDeviceForOrganization console:settings:update',
      'downloadExportById console:settings:update',
      'enableMfaDeviceForOrganization console:settings:update',
      'getUserOauthAccessToken console:settings:update',
      'postToken console:settings:update',
      'rotateWebhookSecret console:settings:update',
      'updateProvider console:settings:update',
      'updateSsoProvider console:sso:update',
    ]);
  });

  it('is what the document says that personal tokens cannot do', () => {
    /** Words of the sentence about what they cannot do, at the operation that makes them. */
    const said: Record<string, string> = {
      applyPromotion: 'apply a promotion',
      createCustomHostname: 'add a custom hostname',
      createDelegatedCredentials: 'register a key for delegated access',
      createExport: 'export',
      createInvite: 'make someone an owner',
      createProvider: 'replace secrets of webhooks, providers',
      createProviderOfType: 'replace secrets of webhooks, providers',
      createSsoProvider: 'single sign-on',
      createUserApiToken: 'create tokens',
      delegateOwnership: 'transfer ownership',
      deleteProjectById: 'delete a project',
      deleteSsoProvider: 'single sign-on',
      disableMfaDeviceForOrganization: 'second factors members need',
      downloadExportById: 'export',
      enableMfaDeviceForOrganization: 'second factors members need',
      getUserOauthAccessToken: 'read tokens of social accounts',
      getWebhook: 'reveal or replace secrets of webhooks',
      postToken: 'create tokens',
      rotateWebhookSecret: 'reveal or replace secrets of webhooks',
      updateMemberRole: 'make someone an owner',
      updateProjectSettings: 'and settings',
      updateProvider: 'replace secrets of webhooks, providers',
      updateSsoProvider: 'single sign-on',
      updateWebhookById: 'reveal or replace secrets of webhooks',
    };
    const all = listOperations(apiDocument);
    const proving = all.flatMap(({ operationId, operation, parameters }) => {
      const header = parameters.find(({ name }) => name === 'x-elevated-access-token');
      return header && operation['x-audience'] === 'dashboard' ? [[operationId, header.description] as const] : [];
    });
    expect(proving.map(([id]) => id).toSorted()).toEqual(Object.keys(said));
    for (const [id, description] of proving)
      expect([id, description]).toEqual([id, expect.stringContaining('Personal tokens cannot')]);
    const { operation } = all.find(({ operationId }) => operationId === 'createUserApiToken')!;
    for (const words of Object.values(said)) expect(operation.description).toContain(words);
  });

  it.each(asking.map((operation) => [operation.id, operation] as const))(
    '%s asks members for a proof of the last five minutes, whatever the state of the record',
    async (_, operation) => {
      const tenant = await Tenant.create(test);
      const client = new RawClient(test.url);
      try {
        const { world: own } = tenant;
        const { consoleEnvironmentId } = own.ids;
        const call = await validCall(tenant, operation);
        const personal = await client.send({ ...call, token: own.ownerToken });
        expect([personal.status, (personal.body as { code: string }).code]).toEqual([403, 'fresh_proof_required']);
        const { jwt, sessionId } = await own.signIn(own.ownerEmail, { environmentId: consoleEnvironmentId });
        await age(sessionId);
        expect((await client.send({ ...call, token: jwt })).status).toBe(403);
        const { token, elevated, sessionId: proven } = await provenOwner(own, scopeOf(operation));
        const headers = { ...call.headers, 'x-elevated-access-token': elevated };
        // A proof of another session is none of this one.
        expect((await client.send({ ...call, token: jwt, headers })).status).toBe(403);
        // In a session of any age, the proof is what counts.
        await age(proven);
        expect((await client.send({ ...call, token })).status).toBe(403);
        const answer = await client.send({ ...call, token, headers });
        // A download is led on to its file.
        expect([answer.status < 400, answer.text]).toEqual([true, expect.any(String)]);
      } finally {
        client.close();
        await tenant.close();
      }
    },
  );

  it.each<[string, (world: World) => Promise<Conditional>]>([
    [
      'an owner made of a member',
      async (own) => {
        const { userId } = await joined(own, 'admin');
        const sql = 'SELECT id FROM members WHERE user_id = $1 AND organization_id = $2';
        const [member] = await rowsOf<{ id: string }>(test, sql, [userId, own.ids.organizationId]);
        const call = (role: string) => (as: TestClient) => as.put<Refusal>(`/members/${member!.id}`, { role });
        return { asking: call('owner'), other: call('developer') };
      },
    ],
    [
      'an owner who is invited',
      async (own) => {
        const call = (role: string) => (as: TestClient) =>
          as.post<Refusal>(ofOrganization(own, '/invites'), { email: newEmail(), role });
        return { asking: call('owner'), other: call('admin') };
      },
    ],
    [
      'a header field of a webhook',
      async (own) => {
        const hook = { url: 'https://hooks.example.com/in', isEnabled: true, events: ['user.created'] };
        const made = await own.api.post<{ webhookId: string }>(own.path('/webhooks'), hook, { expect: 201 });
        const call = (headers: object[]) => (as: TestClient) =>
          as.put<Refusal>(own.path(`/webhooks/${made.body.webhookId}`), { ...hook, headers });
        return { asking: call([{ name: 'x-key', value: 'hush' }]), other: call([]) };
      },
    ],
    [
      'a secret among the settings',
      async (own) => {
        const call = (captcha: object) => (as: TestClient) =>
          as.put<Refusal>(own.path(''), { security: { captcha: { enabled: false, ...captcha } } });
        return { asking: call({ siteKey: 'site', secretKey: 'hush' }), other: call({}) };
      },
    ],
    [
      'whose tokens sign people in, among the settings',
      (own) => {
        const call = (externalAuth: object) => (as: TestClient) =>
          as.put<Refusal>(own.path(''), { security: { externalAuth } });
        const jwksUrl = 'https://id.example.com/keys';
        const theirs = { enabled: true, iss: 'https://id.example.com', aud: 'app', jwksUrl };
        return Promise.resolve({ asking: call(theirs), other: call({ enabled: false, cookieName: 'session' }) });
      },
    ],
    // Each of them alone lets another service say who people are.
    ...Object.entries({ iss: 'https://id.example.com', aud: 'app', jwksUrl: 'https://id.example.com/keys' }).map(
      ([name, value]): [string, (world: World) => Promise<Conditional>] => [
        `\`${name}\` alone of whose tokens sign people in`,
        (own) => {
          const call = (externalAuth: object) => (as: TestClient) =>
            as.put<Refusal>(own.path(''), { security: { externalAuth } });
          return Promise.resolve({ asking: call({ [name]: value }), other: call({ cookieName: 'session' }) });
        },
      ],
    ),
  ])('is %s, and what the operation does otherwise is not', async (_, prepare) => {
    const own = await World.create(test);
    const { asking, other } = await prepare(own);
    const personal = new TestClient(test.url, own.ownerToken);
    expect((await other(personal)).status).toBe(200);
    const refused = await asking(personal);
    expect([refused.status, refused.body.code]).toEqual([403, 'fresh_proof_required']);
    const { jwt, sessionId } = await own.provenSignIn();
    const session = new TestClient(test.url, jwt);
    expect((await asking(session)).status).toBe(200);
    await age(sessionId);
    expect((await other(session)).status).toBe(200);
    expect((await asking(session)).body.code).toBe('fresh_proof_required');
  });

  it('is left to the scopes of API tokens, which are no people', async () => {
    const own = await World.create(test);
    const captcha = { enabled: false, siteKey: 'site', secretKey: 'hush' };
    await own.api.put(own.path(''), { security: { captcha } }, { expect: 200 });
    await own.api.post(own.path('/tokens'), { note: 'ci', scopes: [] }, { expect: 201 });
  });
});
