import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sharedTestApp } from '../support/shared-app.js';
import type { TestApp } from '../support/app.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { enableSms } from '../support/sms.js';
import { World } from '../support/world.js';

interface Field {
  name: string;
  enabled: boolean;
  required: boolean;
  verify: boolean;
}
interface Refused {
  code: string;
  payload: { fields: { field: string; message?: string }[] };
}
interface Plan {
  digest: string;
  parts: { part: string; refused?: { key: string; reason: string }[] }[];
}

const REQUIRED = { enabled: true, required: true, verify: true };

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
});
beforeEach(async () => {
  world = await World.create(test);
});
afterAll(() => test.close());

const kycOf = async (environmentId: string): Promise<Field[]> =>
  (await world.owner.get<{ settings: { kyc: Field[] } }>(`/environments/${environmentId}`, { expect: 200 })).body
    .settings.kyc;

async function require(name: string, how: Partial<Field> = REQUIRED, environmentId: string = world.environmentId) {
  const kyc = (await kycOf(environmentId)).map((field) => (field.name === name ? { ...field, ...how } : field));
  return world.owner.put<Refused>(`/environments/${environmentId}`, { kyc });
}
const provider = (id: string, rest = ''): string => `/settings/providers/${id}${rest}`;
const emailProvider = async (): Promise<string> => {
  const { body } = await world.owner.get<{ providers: { id: string; provider: string }[] }>(
    world.path('/settings/providers'),
    { expect: 200 },
  );
  return body.providers.find((known) => known.provider === 'emailOnly')!.id;
};
const isOn = async (id: string): Promise<boolean> =>
  (await world.owner.get<{ enabledAt: string | null }>(provider(id), { expect: 200 })).body.enabledAt !== null;

describe('a contact that has to be verified', () => {
  it('cannot be required while no provider sends its codes', async () => {
    const refused = await require('phoneNumber');
    expect([refused.status, refused.body.code]).toEqual([422, 'setting_not_available']);
    expect(refused.body.payload.fields).toEqual([
      { field: 'kyc.2.required', message: expect.stringContaining('no provider of the type sms') },
    ]);
    expect((await kycOf(world.environmentId))[2]).toMatchObject({ required: false });
    for (const how of [
      { ...REQUIRED, verify: false },
      { ...REQUIRED, required: false },
    ]) {
      expect((await require('phoneNumber', how)).status).toBe(200);
    }
    await enableSms(world);
    expect((await require('phoneNumber')).status).toBe(200);
  });

  it('keeps the provider of its codes on', async () => {
    const senders: [name: string, id: string][] = [
      ['phoneNumber', await enableSms(world)],
      ['email', await emailProvider()],
    ];
    for (const [name, id] of senders) {
      expect((await require(name)).status).toBe(200);
      for (const refused of [
        await world.owner.put<Refused>(provider(id, '/disable')),
        await world.owner.delete<Refused>(provider(id)),
      ]) {
        expect([refused.status, refused.body.code]).toEqual([422, 'provider_needed']);
        expect(refused.body.payload.fields.map(({ field }) => field)).toEqual([name]);
      }
      expect(await isOn(id)).toBe(true);
      expect((await require(name, { required: false })).status).toBe(200);
      await world.owner.put(provider(id, '/disable'), undefined, { expect: 200 });
      await world.owner.delete(provider(id), { expect: 204 });
    }
    const names = (await eventsOf(test, world.environmentId)).map(({ name }) => name);
    expect(names.filter((name) => name === 'provider.disabled').length).toBe(2);
  });

  it('blocks no other change where it was required before', async () => {
    await rowsOf(
      test,
      `UPDATE environment_settings SET settings = jsonb_set(settings, '{kyc,2}', settings #> '{kyc,2}' || $2)
       WHERE environment_id = $1`,
      [world.environmentId, JSON.stringify(REQUIRED)],
    );
    expect((await require('alias', { enabled: true })).status).toBe(200);
    expect((await require('phoneNumber', { label: 'Mobile' } as object)).status).toBe(200);
    await world.owner.put(provider(await emailProvider(), '/disable'), undefined, { expect: 200 });
    expect((await require('email')).body.payload.fields.map(({ field }) => field)).toEqual(['kyc.0.required']);
  });

  it('and the provider it needs are never both settled by calls at once', async () => {
    const id = await enableSms(world);
    for (let round = 0; round < 6; round += 1) {
      const [asked, off] = await Promise.all([require('phoneNumber'), world.owner.put(provider(id, '/disable'))]);
      expect([asked.status, off.status].sort()).toEqual([200, 422]);
      expect((await kycOf(world.environmentId))[2]!.required).toBe(await isOn(id));
      if (asked.status === 200) expect((await require('phoneNumber', { required: false })).status).toBe(200);
      else await world.owner.put(provider(id, '/enable'), undefined, { expect: 200 });
    }
  });

  it('is refused in the plan of a promotion to an environment without the provider', async () => {
    await enableSms(world);
    expect((await require('phoneNumber')).status).toBe(200);
    const { live } = world.ids.environments;
    const request = { fromEnvironmentId: world.environmentId, except: ['settings/chains'] };
    const planned = await world.owner.post<Plan>(`/environments/${live}/promotion/plan`, request, { expect: 200 });
    expect(planned.body.parts.flatMap(({ refused }) => refused ?? [])).toEqual([
      { key: 'kyc/2/required', reason: expect.stringContaining('type sms') },
    ]);
  });

  it('keeps its provider on in a promotion that would turn it off', async () => {
    const { live } = world.ids.environments;
    const sandboxSms = await enableSms(world);
    const made = await world.owner.post<{ id: string }>(
      `/environments/${live}/settings/providers`,
      {
        ...{
          provider: 'sms',
          clientSecret: 'a secret of the vendor',
          accountSid: 'AC1',
          smsSenderNumber: '+15005550006',
        },
        enabledCountries: [{ isoCountryCode: 'CH', phoneCountryCode: '41' }],
      },
      { expect: 201 },
    );
    await world.owner.put(provider(made.body.id, '/enable'), undefined, { expect: 200 });
    expect((await require('phoneNumber', REQUIRED, live)).status).toBe(200);
    await world.owner.put(provider(sandboxSms), { accountSid: 'AC2', clientSecret: 'another' }, { expect: 200 });
    const request = { fromEnvironmentId: world.environmentId, except: ['settings'] };
    const planned = await world.owner.post<Plan>(`/environments/${live}/promotion/plan`, request, { expect: 200 });
    expect(planned.body.parts.flatMap(({ refused }) => refused ?? [])).toEqual([
      { key: 'sms', reason: 'would be off, and is needed to verify phoneNumber' },
    ]);
    const applied = await world.owner.post<Refused>(`/environments/${live}/promotion`, {
      ...request,
      digest: planned.body.digest,
    });
    expect([applied.status, await isOn(made.body.id)]).toEqual([422, true]);
  });
});
