import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { newEmail, World } from '../support/world.js';

interface Missing {
  name: string;
  [property: string]: unknown;
}
interface WithMissing {
  missingFields?: Missing[];
}

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});
afterAll(() => test.close());

/** One whose onboarding asks for optional fields too; those that skip them are the business of the assurance suite. */
async function newWorld(): Promise<World> {
  const world = await World.create(test);
  await rowsOf(
    test,
    `UPDATE environment_settings SET settings =
       jsonb_set(settings, '{general,skipOptionalKYCFieldDuringOnboarding}', 'false') WHERE environment_id = $1`,
    [world.environmentId],
  );
  return world;
}

const create = async (world: World, field: object): Promise<{ id: string; key: string }> =>
  (
    await world.api.post<{ id: string; key: string }>(
      world.path('/custom/fields'),
      { name: 'Colour', enabled: true, required: true, fieldType: 'text', position: 1, ...field },
      { expect: 201 },
    )
  ).body;

/** Switches standard fields on, as a change of the settings would. */
const ask = (world: World, ...names: string[]) =>
  rowsOf(
    test,
    `UPDATE environment_settings SET settings = jsonb_set(settings, '{kyc}', (
       SELECT jsonb_agg(CASE WHEN k->>'name' = ANY ($2::text[]) THEN k || '{"enabled": true}' ELSE k END)
       FROM jsonb_array_elements(settings->'kyc') k)) WHERE environment_id = $1`,
    [world.environmentId, names],
  );

const read = async (world: World, userId: string): Promise<WithMissing> =>
  (await world.api.get<{ user: WithMissing }>(world.path(`/users/${userId}`), { expect: 200 })).body.user;
const missingOf = async (world: World, userId: string): Promise<string[]> =>
  ((await read(world, userId)).missingFields ?? []).map(({ name }) => name);
const createUser = async (world: World, profile: object): Promise<string> =>
  (await world.api.post<{ user: { id: string } }>(world.path('/users'), profile, { expect: 201 })).body.user.id;
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_050));

describe('a standard field', () => {
  const field = (name: string, more: object = {}) => ({
    ...{ name, type: 'standard', enabled: true, required: true, unique: false, verify: false },
    ...more,
  });
  const change = (world: World, ...kyc: object[]) =>
    world.api.put<{ code?: string; payload?: { fields: object[] } }>(world.path(''), { kyc });

  it.each(['favouriteColour', 'firstname', 'metadata', 'constructor'])(
    'that no profile has is not asked for: %s',
    async (name) => {
      const world = await newWorld();
      const { status, body } = await change(world, field('firstName'), field(name));
      expect([status, body.code]).toEqual([422, 'setting_not_available']);
      expect(body.payload?.fields).toEqual([
        { field: 'kyc', message: `profiles have no field ${name}: create a custom field` },
      ]);
      expect(await missingOf(world, await createUser(world, {}))).toEqual([]);
      expect((await change(world, field('firstName'), field(name, { enabled: false }))).status).toBe(200);
      expect(await missingOf(world, await createUser(world, {}))).toEqual(['firstName']);
    },
  );

  it.each(['colour', 'firstName'])('is not of the type custom, which has an operation of its own: %s', async (name) => {
    const world = await newWorld();
    const { status, body } = await change(world, field(name, { type: 'custom', validationType: 'select' }));
    expect([status, body.code]).toEqual([422, 'setting_not_available']);
    expect(body.payload?.fields).toEqual([
      { field: 'kyc', message: `${name} is not a standard field: create a custom field` },
    ]);
    expect(await missingOf(world, await createUser(world, {}))).toEqual([]);
  });
});

describe('what a user has yet to supply', () => {
  it('contains each of 20 concurrently created fields, while settings change and fields are deleted', async () => {
    const world = await newWorld();
    const userId = await createUser(world, {});
    const keys = Array.from({ length: 20 }, (_, at) => `Field ${at}`);
    const standard = ['firstName', 'lastName', 'jobTitle', 'team'];
    const made = await Promise.all([
      ...keys.map((name, position) => create(world, { name, position })),
      ...standard.map((_, at) => ask(world, ...standard.slice(0, at + 1)).then(() => null)),
    ]);
    await ask(world, ...standard);
    const fields = made.filter((field) => field !== null);
    expect(new Set(await missingOf(world, userId))).toEqual(new Set([...standard, ...fields.map(({ key }) => key)]));
    await Promise.all(fields.slice(0, 10).map(({ id }) => world.owner.delete(`/custom/fields/${id}`, { expect: 204 })));
    expect(await missingOf(world, userId)).toHaveLength(standard.length + 10);
  });

  it('is reported wherever the user is: at sign-in, in the token, in the profile, to the team and in events', async () => {
    const world = await newWorld();
    await create(world, { validationRules: { unique: true, regex: '[a-z]+' } });
    const missing = {
      name: 'colour',
      label: 'Colour',
      type: 'custom',
      enabled: true,
      required: true,
      unique: true,
      verify: false,
      validationType: 'text',
      validationRules: { unique: true, regex: '[a-z]+' },
      position: 1,
    };
    const { body, jwt, userId } = await world.signIn(newEmail());
    expect(body.user['missingFields']).toEqual([missing]);
    const { validationRules: _rules, ...claimed } = missing;
    expect(decodeJwt(jwt)['missing_fields']).toEqual([claimed]);
    const self = await world.anonymous.get<WithMissing>(world.sdk('/users'), { token: jwt, expect: 200 });
    expect(self.body.missingFields).toEqual([missing]);
    expect((await read(world, userId)).missingFields).toEqual([missing]);
    const list = await world.api.get<{ users: WithMissing[] }>(world.path('/users'), { expect: 200 });
    expect(list.body.users[0]!.missingFields).toEqual([missing]);
    const created = (await eventsOf(test, world.environmentId, userId)).find(({ name }) => name === 'user.created');
    expect(created!.data['missingFields']).toEqual([missing]);

    const answer = await world.anonymous.put<{ user: WithMissing; jwt: string }>(
      world.sdk('/users'),
      { metadata: { colour: 'red' } },
      { token: jwt, expect: 200 },
    );
    expect(answer.body.user['missingFields']).toEqual([]);
    const complete = await world.anonymous.get<WithMissing>(world.sdk('/users'), {
      token: answer.body.jwt,
      expect: 200,
    });
    expect(complete.body.missingFields).toEqual([]);
    expect(decodeJwt(answer.body.jwt)['missing_fields']).toEqual([]);
  });

  it('is reported to clients in the settings: enabled fields, in order, a second after a change at the latest', async () => {
    const world = await newWorld();
    const settings = async (): Promise<string[]> =>
      (
        await world.anonymous.get<{ customFields: Missing[] }>(world.sdk('/settings'), { expect: 200 })
      ).body.customFields.map(({ name, label }) => `${name} ${String(label)}`);
    expect(await settings()).toEqual([]);
    await create(world, { name: 'B', position: 2 });
    await create(world, { name: 'A', position: 1 });
    await create(world, { name: 'C', enabled: false });
    await settle();
    expect(await settings()).toEqual(['a A', 'b B']);
  });

  it('are the enabled fields without a value, standard ones first, each kind in its order', async () => {
    const world = await newWorld();
    const userId = await createUser(world, { firstName: 'Ada', metadata: { b: 'x', note: 1 } });
    expect(await read(world, userId)).not.toHaveProperty('missingFields');
    await ask(world, 'firstName', 'lastName', 'email');
    await create(world, { name: 'B', position: 1 });
    await create(world, { name: 'C', position: 3 });
    await create(world, { name: 'D', position: 2, required: false });
    await create(world, { name: 'E', position: 0, enabled: false });
    expect(await missingOf(world, userId)).toEqual(['email', 'lastName', 'd', 'c']);
  });

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['alias', 'policiesConsent', 'agreed', 'told', 'colour']],
    ['null', { metadata: { agreed: null, colour: null } }, ['alias', 'policiesConsent', 'agreed', 'told', 'colour']],
    ['empty texts', { alias: '', metadata: { colour: '' } }, ['alias', 'policiesConsent', 'agreed', 'told', 'colour']],
    [
      'no',
      { policiesConsent: false, metadata: { agreed: false, told: false } },
      ['alias', 'policiesConsent', 'agreed', 'colour'],
    ],
    ['yes', { policiesConsent: true, metadata: { agreed: true, told: true } }, ['alias', 'colour']],
    ['texts', { alias: 'Ada', metadata: { colour: 'red' } }, ['policiesConsent', 'agreed', 'told']],
  ])('when they say %s', async (_, profile, expected) => {
    const world = await newWorld();
    await ask(world, 'alias', 'policiesConsent');
    await create(world, { name: 'Agreed', fieldType: 'checkbox', position: 1 });
    await create(world, { name: 'Told', fieldType: 'checkbox', required: false, position: 2 });
    await create(world, { position: 3 });
    expect(await missingOf(world, await createUser(world, profile))).toEqual(expected);
  });

  it('includes a contact to verify that a server stated, until its owner proves it', async () => {
    const world = await newWorld();
    await rowsOf(
      test,
      `UPDATE environment_settings SET settings = jsonb_set(settings, '{kyc}', (
         SELECT jsonb_agg(CASE WHEN k->>'name' = 'email' THEN k || '{"enabled": true, "required": true}' ELSE k END)
         FROM jsonb_array_elements(settings->'kyc') k)) WHERE environment_id = $1`,
      [world.environmentId],
    );
    const stated = newEmail();
    const vouched = await createUser(world, { email: newEmail(), emailVerifiedAt: new Date() });
    expect(await missingOf(world, vouched)).toEqual([]);
    const { jwt, userId } = await world.signIn(newEmail());
    await rowsOf(test, 'UPDATE users SET email = $2 WHERE id = $1', [userId, stated]);
    expect(await missingOf(world, userId)).toEqual(['email']);
    expect(await missingOf(world, await createUser(world, { email: newEmail() }))).toEqual(['email']);
    const refreshed = await world.anonymous.post<{ jwt: string }>(world.sdk('/refresh'), undefined, {
      token: jwt,
      expect: 200,
    });
    expect(decodeJwt(refreshed.body.jwt)['scope']).toBe('userDataForm');
    // Named once more as it stands in the profile, it is proven like one that is new.
    const { body } = await world.anonymous.put<{ nextView: string; emailVerification: { verificationUUID: string } }>(
      world.sdk('/users'),
      { email: stated },
      { token: refreshed.body.jwt, expect: 200 },
    );
    expect(body).toMatchObject({ nextView: 'verify-email' });
    const proven = await world.anonymous.post<{ jwt: string; user: WithMissing }>(
      world.sdk('/emailVerifications/verify'),
      {
        verificationUUID: body.emailVerification.verificationUUID,
        verificationToken: world.code(stated),
      },
      { token: refreshed.body.jwt, expect: 200 },
    );
    expect(proven.body.user).toHaveProperty('missingFields', []);
    expect(decodeJwt(proven.body.jwt)['scope']).toBe('user:basic');
  });

  it('costs no statement, in no environment', async () => {
    const world = await newWorld();
    await create(world, {});
    await ask(world, 'alias');
    const userId = await createUser(world, { metadata: { colour: 'red' } });
    const warm = await world.signIn(newEmail());
    const counted = async (call: () => Promise<unknown>): Promise<number> =>
      (await countStatements(call, call)).statements.length;
    expect(await counted(() => read(world, userId))).toBe(1);
    expect(await counted(() => world.api.get(world.path('/users'), { expect: 200 }))).toBe(1);
    // BEGIN, the user with credentials and values, the event, COMMIT.
    expect(await counted(() => createUser(world, { metadata: { colour: 'blue' } }))).toBe(4);
    expect(warm.body.user['missingFields']).toHaveLength(2);
  });
});
