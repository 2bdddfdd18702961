import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MfaSettingsService } from '../../src/organizations/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import { joined, ofOrganization } from '../support/invites.js';
import { eventsOf } from '../support/rows.js';
import { World } from '../support/world.js';

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
});
