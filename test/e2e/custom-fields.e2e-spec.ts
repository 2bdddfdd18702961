import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { newId } from '../../src/common/ids.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf } from '../support/audit.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Field {
  id: string;
  key: string;
  name: string;
  [property: string]: unknown;
}

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});
afterAll(() => test.close());

const request = (more: object = {}) => ({
  name: 'Favourite colour',
  enabled: true,
  required: true,
  fieldType: 'text',
  position: 1,
  ...more,
});

const create = async (world: World, more: object = {}): Promise<Field> =>
  (await world.api.post<Field>(world.path('/custom/fields'), request(more), { expect: 201 })).body;

const listed = async (world: World): Promise<Field[]> =>
  (await world.api.get<Field[]>(world.path('/custom/fields'), { expect: 200 })).body;

async function answerOf(world: World, more: object): Promise<[number, string | undefined]> {
  const { status, body } = await world.api.post<{ code?: string }>(world.path('/custom/fields'), request(more));
  return [status, body.code];
}

describe('custom fields', () => {
  it('are created, read, changed and deleted, and each step is recorded', async () => {
    const world = await World.create(test);
    const made = request({ validationRules: { unique: true, regex: '[a-z]+' } });
    const answer = await world.owner.post<Field>(world.path('/custom/fields'), made, { expect: 201 });
    const { id } = answer.body;
    expect(answer.body).toEqual({ id, key: 'favourite_colour', ...made });
    const path = `/custom/fields/${id}`;
    const changed = request({ name: 'Colour', enabled: false, fieldType: 'checkbox', position: 2 });
    expect((await world.owner.put(path, changed, { expect: 200 })).body).toEqual({
      id,
      key: 'favourite_colour',
      ...changed,
    });
    expect((await world.api.get(path, { expect: 200 })).body).toEqual({ id, key: 'favourite_colour', ...changed });
    expect(await listed(world)).toEqual([{ id, key: 'favourite_colour', ...changed }]);
    await world.owner.delete(path, { expect: 204 });
    for (const client of [world.owner, world.api]) {
      await client.get(path, { expect: 404 });
      await client.put(path, changed, { expect: 404 });
      await client.delete(path, { expect: 404 });
    }
    expect(await listed(world)).toEqual([]);

    const records = await auditOf(test, world.ids.organizationId, { resourceId: id });
    expect(records.map(({ action }) => action)).toEqual([
      'customField.created',
      'customField.updated',
      'customField.deleted',
    ]);
    expect(records[1]).toMatchObject({
      actor: { kind: 'member', id: world.ids.ownerUserId },
      environmentId: world.environmentId,
      changes: { name: ['Favourite colour', 'Colour'], enabled: [true, false], fieldType: ['text', 'checkbox'] },
    });
    const events = await eventsOf(test, world.environmentId, id);
    expect(events.map(({ name, data }) => [name, data['name']])).toEqual([
      ['customField.created', 'Favourite colour'],
      ['customField.updated', 'Colour'],
      ['customField.deleted', 'Colour'],
    ]);
  });

  it('are listed by position, those with the same one in the order of creation', async () => {
    const world = await World.create(test);
    for (const [name, position] of [
      ['c', 2],
      ['a', 0],
      ['d', 2],
      ['b', 1],
    ])
      await create(world, { name, position });
    expect((await listed(world)).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('accept every text and list up to its limit, and nothing beyond', async () => {
    const world = await World.create(test);
    const { id: fieldId } = await create(world);
    const put = async (more: object): Promise<[number, string | undefined]> => {
      const { status, body } = await world.api.put<{ code?: string }>(`/custom/fields/${fieldId}`, request(more));
      return [status, body.code];
    };
    const options = (length: number) => Array.from({ length }, (_, n) => ({ label: `option ${n}` }));
    const select = (validOptions: object[]) => ({ fieldType: 'select', validationRules: { validOptions } });
    const cases: [most: number, (size: number) => object][] = [
      [255, (size) => ({ name: 'n'.repeat(size) })],
      [255, (size) => ({ validationRules: { regex: 'a'.repeat(size) } })],
      [255, (size) => ({ fieldType: 'checkbox', validationRules: { checkboxText: 'c'.repeat(size) } })],
      [255, (size) => select([{ label: 'l'.repeat(size) }])],
      [255, (size) => select([{ label: 'l', key: 'k'.repeat(size) }])],
      [200, (size) => select(options(size))],
    ];
    for (const [most, more] of cases) {
      expect(await put(more(most - 1))).toEqual([200, undefined]);
      expect(await put(more(most))).toEqual([200, undefined]);
      expect(await put(more(most + 1))).toEqual([400, 'validation_failed']);
    }
    expect(await put({ name: '' })).toEqual([400, 'validation_failed']);
    expect(await put({ position: 1.5 })).toEqual([400, 'validation_failed']);
    expect(await put({ position: -1 })).toEqual([422, 'invalid_position']);
    expect(await put({ position: 1_000_001 })).toEqual([422, 'invalid_position']);
    expect(await put(select([{ label: 'a' }, { label: 'a' }]))).toEqual([422, 'repeated_options']);
    expect(await put({ fieldType: 'select' })).toEqual([422, 'unfit_validation_rules']);
    expect(await put({ validationRules: { regex: '(?=a)' } })).toEqual([422, 'invalid_regex']);
    expect(await put({ validationRules: { regex: '((a{0,1000}){0,1000})' } })).toEqual([422, 'invalid_regex']);
  });

  it('have unique names and keys, with fifty created concurrently', async () => {
    const world = await World.create(test);
    const answers = await Promise.all(Array.from({ length: 50 }, () => answerOf(world, {})));
    expect(answers.filter(([status]) => status === 201)).toHaveLength(1);
    expect(answers.filter(([, code]) => code === 'custom_field_not_unique')).toHaveLength(49);
    expect(await answerOf(world, { name: 'favourite-COLOUR' })).toEqual([422, 'custom_field_not_unique']);
    const other = await create(world, { name: 'Other' });
    const taken = await world.api.put<{ code: string }>(`/custom/fields/${other.id}`, request());
    expect([taken.status, taken.body.code]).toEqual([422, 'custom_field_not_unique']);
  });

  it('are limited to a hundred, with twenty created concurrently where ten fit', async () => {
    const world = await World.create(test);
    await rowsOf(
      test,
      `INSERT INTO custom_fields (environment_id, id, key, name, enabled, required, field_type, is_unique, position)
       SELECT $1, gen_random_uuid(), 'k' || n, 'n' || n, true, false, 'text', false, n FROM generate_series(1, 90) n`,
      [world.environmentId],
    );
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => answerOf(world, { name: `field ${n}` })));
    expect(answers.filter(([status]) => status === 201)).toHaveLength(10);
    expect(answers.filter(([, code]) => code === 'too_many_custom_fields')).toHaveLength(10);
    expect(await listed(world)).toHaveLength(100);
  });

  it('of others do not exist, for tokens of another environment or members of another organization', async () => {
    const [mine, theirs] = [await World.create(test), await World.create(test)];
    const { id } = await create(theirs);
    const live = await theirs.mint(
      ['environment.settings.read', 'environment.settings.write'],
      theirs.ids.environments.live,
    );
    for (const client of [mine.owner, mine.api, theirs.api.withToken(live)]) {
      await client.get(`/custom/fields/${id}`, { expect: 404 });
      await client.put(`/custom/fields/${id}`, request(), { expect: 404 });
      await client.delete(`/custom/fields/${id}`, { expect: 404 });
    }
    await mine.owner.get(`/custom/fields/${newId()}`, { expect: 404 });
    expect(await listed(theirs)).toHaveLength(1);
  });
});

describe('the values of a unique field', () => {
  const unique = { validationRules: { unique: true } };
  const self = (world: World, jwt: string, metadata: object) =>
    world.anonymous.put<{ code?: string; payload?: object }>(world.sdk('/users'), { metadata }, { token: jwt });
  const createUser = async (world: World, metadata: object): Promise<string> =>
    (
      await world.api.post<{ user: { id: string } }>(
        world.path('/users'),
        { email: newEmail(), metadata },
        { expect: 201 },
      )
    ).body.user.id;
  const valuesOf = (world: World) =>
    rowsOf<{ userId: string; isUnique: boolean }>(
      test,
      'SELECT user_id AS "userId", is_unique AS "isUnique" FROM custom_field_values WHERE environment_id = $1',
      [world.environmentId],
    );

  it('belong to one of fifty users who set the same concurrently', async () => {
    const world = await World.create(test);
    const { key } = await create(world, unique);
    const ids = await Promise.all(Array.from({ length: 50 }, () => createUser(world, {})));
    const answers = await Promise.all(
      ids.map((id) => world.api.put<{ code?: string }>(world.path(`/users/${id}`), { metadata: { [key]: 'mauve' } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'custom_field_data_not_unique')).toHaveLength(49);
    expect(await valuesOf(world)).toHaveLength(1);
    const kept = await rowsOf(test, "SELECT 1 FROM users WHERE environment_id = $1 AND metadata->>$2 = 'mauve'", [
      world.environmentId,
      key,
    ]);
    expect(kept).toHaveLength(1);
  });

  it('of two users who give up one and take that of the other at once do not deadlock', async () => {
    const world = await World.create(test);
    const [size, colour] = [await create(world, { name: 'Size', ...unique }), await create(world, unique)];
    const own = [{ [size.key]: 'small' }, { [colour.key]: 'red' }];
    const users = await Promise.all(own.map((metadata) => createUser(world, metadata)));
    const give = (user: string, metadata: object) =>
      world.api.put<{ code?: string }>(world.path(`/users/${user}`), { metadata });
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(users.map((user, at) => give(user, own[1 - at]!)));
      const codes = answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim()).toSorted();
      expect([round, codes]).toEqual([round, ['422 custom_field_data_not_unique', '422 custom_field_data_not_unique']]);
    }
  });

  it('are free again when changed, cleared, or deleted with their user', async () => {
    const world = await World.create(test);
    const { key } = await create(world, unique);
    const [ada, bob] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const has = async (jwt: string, metadata: object, code?: string): Promise<void> =>
      expect((await self(world, jwt, metadata)).body.code).toBe(code);
    await has(ada.jwt, { [key]: 'red' });
    await has(bob.jwt, { [key]: 'red' }, 'custom_field_data_not_unique');
    await has(ada.jwt, { [key]: 'red', more: 1 });
    await has(ada.jwt, { [key]: 'blue' });
    await has(bob.jwt, { [key]: 'red' });
    await has(ada.jwt, { [key]: 'red' }, 'custom_field_data_not_unique');
    await has(bob.jwt, { [key]: '' });
    await has(ada.jwt, { [key]: 'red' });
    // Other fields of the profile leave the values alone.
    await world.anonymous.put(world.sdk('/users'), { alias: 'Ada' }, { token: ada.jwt, expect: 200 });
    await has(bob.jwt, { [key]: 'red' }, 'custom_field_data_not_unique');
    await world.api.delete(world.path(`/users/${ada.userId}`), { expect: 204 });
    await has(bob.jwt, { [key]: 'red' });
    expect(await valuesOf(world)).toEqual([{ userId: bob.userId, isUnique: true }]);
  });

  it('match the metadata of a user changed many times concurrently', async () => {
    const world = await World.create(test);
    const { key } = await create(world, unique);
    const user = await createUser(world, {});
    for (let trial = 0; trial < 10; trial += 1) {
      const writes = Array.from({ length: 10 }, (_, n) => ({ metadata: n % 2 ? { [key]: `${trial}-${n}` } : {} }));
      await Promise.all(writes.map((body) => world.api.put(world.path(`/users/${user}`), body, { expect: 200 })));
      const [kept] = await rowsOf<{ value: string | null; isRight: boolean }>(
        test,
        `SELECT metadata->>$3 AS value, (SELECT value_hash FROM custom_field_values v WHERE v.user_id = u.id)
           IS NOT DISTINCT FROM sha256(convert_to((metadata->$3)::text, 'UTF8')) AS "isRight"
         FROM users u WHERE environment_id = $1 AND id = $2`,
        [world.environmentId, user, key],
      );
      expect(kept).toMatchObject({ isRight: true });
    }
  });

  it('are not compared when a server creates a user, and the first one keeps them', async () => {
    const world = await World.create(test);
    const { key } = await create(world, unique);
    const first = await createUser(world, { [key]: 'red' });
    const second = await createUser(world, { [key]: 'red' });
    expect((await valuesOf(world)).map(({ userId }) => userId)).toEqual([first]);
    const again = await world.api.put<{ code: string }>(world.path(`/users/${second}`), { metadata: { [key]: 'red' } });
    expect([again.status, again.body.code]).toEqual([422, 'custom_field_data_not_unique']);
    const bulk = await world.api.post<{ failed: { code: string }[] }>(
      `${world.path('/users/bulk')}?upsert=true`,
      [{ email: newEmail(), metadata: { [key]: 'red' } }],
      { expect: 201 },
    );
    expect(bulk.body.failed).toEqual([]);
    // Nobody holds it once the first gives it up, whoever else was created with it.
    await world.api.put(world.path(`/users/${first}`), { metadata: { [key]: 'blue' } }, { expect: 200 });
    const third = await createUser(world, {});
    await world.api.put(world.path(`/users/${third}`), { metadata: { [key]: 'red' } }, { expect: 200 });
    const late = await world.api.put<{ code: string }>(world.path(`/users/${second}`), { metadata: { [key]: 'red' } });
    expect([late.status, late.body.code]).toEqual([422, 'custom_field_data_not_unique']);
  });

  it('decide whether a field can become unique, including those older than the field', async () => {
    const world = await World.create(test);
    for (const colour of ['red', 'red', 'blue']) await createUser(world, { favourite_colour: colour });
    expect(await answerOf(world, unique)).toEqual([422, 'cannot_switch_to_unique']);
    const { id, key } = await create(world);
    expect(key).toBe('favourite_colour');
    expect(await valuesOf(world)).toHaveLength(3);
    const path = `/custom/fields/${id}`;
    const refused = await world.api.put<{ code: string }>(path, request(unique));
    expect([refused.status, refused.body.code]).toEqual([422, 'cannot_switch_to_unique']);
    await rowsOf(
      test,
      `DELETE FROM users WHERE environment_id = $1 AND id = (
         SELECT id FROM users WHERE environment_id = $1 AND metadata->>'favourite_colour' = 'red' LIMIT 1)`,
      [world.environmentId],
    );
    await world.api.put(path, request(unique), { expect: 200 });
    expect((await valuesOf(world)).map(({ isUnique }) => isUnique)).toEqual([true, true]);
    await world.api.put(path, request(), { expect: 200 });
    expect((await valuesOf(world)).map(({ isUnique }) => isUnique)).toEqual([false, false]);
  });

  it('decide it again, including values of users created by a server', async () => {
    const world = await World.create(test);
    const { id, key } = await create(world, unique);
    const users = [await createUser(world, { [key]: 'red' }), await createUser(world, { [key]: 'red' })];
    const path = `/custom/fields/${id}`;
    await world.api.put(path, request(), { expect: 200 });
    const refused = await world.api.put<{ code: string }>(path, request(unique));
    expect([refused.status, refused.body.code]).toEqual([422, 'cannot_switch_to_unique']);
    await world.api.put(world.path(`/users/${users[1]}`), { metadata: { [key]: 'blue' } }, { expect: 200 });
    await world.api.put(path, request(unique), { expect: 200 });
    expect((await valuesOf(world)).map(({ isUnique }) => isUnique)).toEqual([true, true]);
  });

  it('never become shared while a field is made unique, in twenty trials', async () => {
    const world = await World.create(test);
    for (let trial = 0; trial < 20; trial += 1) {
      const { id, key } = await create(world, { name: `trial ${trial}` });
      const users = await Promise.all([1, 2, 3, 4].map(() => createUser(world, {})));
      const writes = users.map(
        (user) => () => world.api.put(world.path(`/users/${user}`), { metadata: { [key]: 'x' } }),
      );
      const becomes = () =>
        world.api.put<never>(`/custom/fields/${id}`, request({ name: `trial ${trial}`, ...unique }));
      const [switched] = await Promise.all([becomes(), ...writes.map((write) => write())]);
      const [shared] = await rowsOf<{ holders: number }>(
        test,
        'SELECT count(*)::int AS holders FROM users WHERE environment_id = $1 AND metadata->>$2 = $3',
        [world.environmentId, key, 'x'],
      );
      expect(shared!.holders).toBeGreaterThan(0);
      if (switched.status === 200) expect(shared!.holders).toBe(1);
      else expect(switched.status).toBe(422);
    }
  });

  it('do not prevent creating a field, or making it unique, while users with values are deleted', async () => {
    const world = await World.create(test);
    for (let trial = 0; trial < 10; trial += 1) {
      const name = `trial ${trial}`;
      const make = async () => createUser(world, { [`trial_${trial}`]: randomUUID() });
      const users = await Promise.all(Array.from({ length: 20 }, make));
      const [gone, left] = [users.slice(0, 10), users.slice(10)];
      const remove = (user: string) => world.api.delete(world.path(`/users/${user}`), { expect: 204 });
      const [made] = await Promise.all([create(world, { name }), ...gone.map(remove)]);
      await Promise.all([
        world.api.put(`/custom/fields/${made.id}`, request({ name, ...unique }), { expect: 200 }),
        ...left.map(remove),
      ]);
    }
  });

  it('written by users are checked by the rules of enabled fields, and those written by servers are not', async () => {
    const world = await World.create(test);
    const { id, key } = await create(world, { validationRules: { regex: '[a-z]+' } });
    const select = { fieldType: 'select', validationRules: { validOptions: [{ label: 'Small', key: 's' }] } };
    const size = await create(world, { name: 'Size', ...select });
    const { jwt, userId } = await world.signIn(newEmail());
    const wrong = await self(world, jwt, { [key]: 'RED', [size.key]: 'XL' });
    expect([wrong.status, wrong.body]).toEqual([
      422,
      expect.objectContaining({
        code: 'invalid_metadata_value',
        payload: {
          additionalMessages: [
            'favourite_colour does not have the form that the field asks for',
            'size must be one of its options',
          ],
        },
      }),
    ]);
    expect((await self(world, jwt, { [key]: 'red', [size.key]: 's', anything: ['else'] })).status).toBe(200);
    await world.api.put(world.path(`/users/${userId}`), { metadata: { [key]: 'RED' } }, { expect: 200 });
    await world.api.put(`/custom/fields/${id}`, request({ enabled: false }), { expect: 200 });
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await self(world, jwt, { [key]: 7 })).status).toBe(200);
  });
});
