import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MfaSettingsService } from '../../src/organizations/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { TestClient } from '../support/client.js';
import { provenOwner } from '../support/proven-owner.js';
import { addDevice, codeOf, refreshed, roomInStep } from '../support/second-factor.js';
import { operations } from '../support/surface/operations.js';
import { RawClient } from '../support/surface/raw-client.js';
import { Tenant } from '../support/surface/tenant.js';
import { validCall } from '../support/surface/valid-call.js';
import { auditOf } from '../support/audit.js';
import { joined, ofOrganization } from '../support/invites.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { World } from '../support/world.js';

const PROJECTS = 'console:project:delete';
const SETTINGS = 'console:settings:update';

interface Setting {
  mfaDeviceType: string;
  enabledAt: string | null;
}

describe('the second factors of an organization', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api' } });
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
    const enabled = await world.owner.put<Setting>(pathOf(world, '/passkey/enable'), undefined, { expect: 200 });
    expect(enabled.body).toEqual({ mfaDeviceType: 'passkey', enabledAt: expect.any(String) });
    expect(await listOf(world)).toEqual([none[0], enabled.body, none[2]]);
    const settings = test.app.get(MfaSettingsService);
    expect(await settings.listAdmitted(world.ids.organizationId)).toEqual(['passkey']);
    const disabled = await world.owner.put<Setting>(pathOf(world, '/passkey/disable'), undefined, { expect: 200 });
    expect(disabled.body).toEqual(none[1]);
    expect(await settings.listAdmitted(world.ids.organizationId)).toEqual([]);
  });

  it('are told to the record and in events once for each change', async () => {
    const world = await World.create(test);
    const calls = ['enable', 'enable', 'disable', 'disable'];
    for (const call of calls) await world.owner.put(pathOf(world, `/totp/${call}`), undefined, { expect: 200 });
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
      headers: { authorization: `Bearer ${world.ownerToken}` },
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
    await world.owner.put(pathOf(world, '/passkey/enable'), undefined, { expect: 200 });
    await world.owner.put(pathOf(world, '/totp/disable'), undefined, { expect: 200 });
    expect((await read(session)).body.code).toBe('member_factor_required');
    await world.owner.put(pathOf(world, '/passkey/disable'), undefined, { expect: 200 });
    expect((await read(client)).status).toBe(200);
  });
});

describe('what cannot be undone or shows a secret', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api' } });
  });
  afterAll(() => test.close());

  const asking = operations.filter(({ needsSession }) => needsSession);

  it('is some operations', () => {
    const ids = asking.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(['createUserApiToken', 'deleteProjectById', 'rotateWebhookSecret']);
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
        await rowsOf(test, "UPDATE sessions SET created_at = created_at - interval '6 min' WHERE id = $1", [sessionId]);
        expect((await client.send({ ...call, token: jwt })).status).toBe(403);
        const { token, elevated } = await provenOwner(own, operation.id.startsWith('delete') ? PROJECTS : SETTINGS);
        const headers = { ...call.headers, 'x-elevated-access-token': elevated };
        // A proof of another session is none of this one.
        expect((await client.send({ ...call, token: jwt, headers })).status).toBe(403);
        expect((await client.send({ ...call, token, headers })).status).toBeLessThan(300);
      } finally {
        await tenant.close();
      }
    },
  );
});
