import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { CompareTextsOfCustomFields20261130150000 } from '../../migrations/20261130150000-compare-texts-of-custom-fields.js';
import { migrate } from '../../src/database/migrate.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createEmptyDatabase } from '../support/postgres.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Refused {
  code?: string;
}

const [COMPOSED, DECOMPOSED] = ['Zo\u00eb', 'Zoe\u0308'];
const SPELLINGS = [COMPOSED, DECOMPOSED, ` ${COMPOSED}`, `${DECOMPOSED}\t`, `\u00a0${COMPOSED}\n`];

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
});
afterAll(() => test.close());

const field = { name: 'Nickname', enabled: true, required: false, fieldType: 'text', position: 1 };
const unique = { ...field, validationRules: { unique: true } };

const create = async (world: World, body: object): Promise<{ id: string; key: string }> =>
  (await world.api.post<{ id: string; key: string }>(world.path('/custom/fields'), body, { expect: 201 })).body;

const userOf = async (world: World, metadata: object): Promise<string> => {
  const body = { email: newEmail(), metadata };
  return (await world.api.post<{ user: { id: string } }>(world.path('/users'), body, { expect: 201 })).body.user.id;
};

describe('a unique text', () => {
  it('belongs to one of fifty users who spell it in their own ways at once, and stays as that one wrote it', async () => {
    const world = await World.create(test);
    const { key } = await create(world, unique);
    const ids = await Promise.all(Array.from({ length: 50 }, () => userOf(world, {})));
    const spelled = (at: number): string => SPELLINGS[at % SPELLINGS.length]!;
    const answers = await Promise.all(
      ids.map((id, at) => world.api.put<Refused>(world.path(`/users/${id}`), { metadata: { [key]: spelled(at) } })),
    );
    const [winner, ...more] = answers.flatMap(({ status }, at) => (status === 200 ? [at] : []));
    expect(more).toEqual([]);
    expect(answers.filter(({ body }) => body.code === 'custom_field_data_not_unique')).toHaveLength(49);
    const kept = await rowsOf<{ value: string }>(test, 'SELECT metadata->>$2 AS value FROM users WHERE id = $1', [
      ids[winner!],
      key,
    ]);
    expect(kept).toEqual([{ value: spelled(winner!) }]);
  });

  it('differs in case, and in space between words', async () => {
    const world = await World.create(test);
    const { key } = await create(world, unique);
    for (const value of ['Zoë', 'zoë', 'Zo ë', 'Zo  ë']) {
      await world.api.put(
        world.path(`/users/${await userOf(world, {})}`),
        { metadata: { [key]: value } },
        { expect: 200 },
      );
    }
  });

  it('is shared by users who spell it differently, so that the field cannot become unique', async () => {
    const world = await World.create(test);
    const { id } = await create(world, field);
    for (const nickname of [COMPOSED, DECOMPOSED]) await userOf(world, { nickname });
    const { status, body } = await world.api.put<Refused>(`/custom/fields/${id}`, unique);
    expect([status, body.code]).toEqual([422, 'cannot_switch_to_unique']);
  });

  it('that an earlier version compared by its bytes stays with the first user', async () => {
    const world = await World.create(test);
    const { id, key } = await create(world, field);
    // The first is as every version writes it, and is not touched.
    const users = [];
    for (const value of ['plain', ...SPELLINGS]) users.push(await userOf(world, { [key]: value }));
    await rowsOf(
      test,
      `UPDATE custom_field_values v SET is_unique = true, value_hash = sha256(convert_to((u.metadata -> $2)::text, 'UTF8'))
       FROM users u WHERE v.environment_id = $1 AND u.id = v.user_id`,
      [world.environmentId, key],
    );
    await rowsOf(test, 'UPDATE custom_fields SET is_unique = true WHERE id = $1', [id]);
    const runner = test.app.get(DataSource).createQueryRunner();
    await new CompareTextsOfCustomFields20261130150000().up(runner);
    await new CompareTextsOfCustomFields20261130150000().up(runner);
    await runner.release();
    const kept = await rowsOf<{ id: string }>(
      test,
      'SELECT user_id AS id FROM custom_field_values WHERE environment_id = $1 ORDER BY user_id',
      [world.environmentId],
    );
    expect(kept.map((one) => one.id)).toEqual(users.slice(0, 2));
    const put = (user: string, value: string) =>
      world.api.put<Refused>(world.path(`/users/${user}`), { metadata: { [key]: value } });
    for (const value of [...SPELLINGS, 'plain']) {
      expect((await put(users[3]!, value)).body.code).toBe('custom_field_data_not_unique');
    }
    expect((await put(users[1]!, DECOMPOSED)).status).toBe(200);
  });
});

describe('a database that was made without a locale', () => {
  it('has unique texts, which are compared as they are but for the space around them', async () => {
    const { url, drop } = await createEmptyDatabase('SQL_ASCII');
    await migrate(url);
    const plain = await startTestApp({ databaseUrl: url, env: { ROLE: 'api' } });
    try {
      const world = await World.create(plain);
      const { key } = await create(world, unique);
      const put = async (value: string) => {
        const metadata = { [key]: value };
        return (await world.api.put<Refused>(world.path(`/users/${await userOf(world, {})}`), { metadata })).body.code;
      };
      expect([await put(COMPOSED), await put(DECOMPOSED)]).toEqual([undefined, undefined]);
      // The last byte of this letter in UTF-8 is a space in other encodings.
      expect([await put('Voilà'), await put(' Voilà\n')]).toEqual([undefined, 'custom_field_data_not_unique']);
    } finally {
      await plain.close();
      await drop();
    }
  });
});
