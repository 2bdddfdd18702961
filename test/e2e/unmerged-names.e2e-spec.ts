import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KnownCustomFields } from '../../src/identity/custom-fields/known-custom-fields.js';
import { Unmerges } from '../../src/identity/index.js';
import { Accounts, codeOf } from '../support/accounts.js';
import type { TestApp } from '../support/app.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { sharedTestApp } from '../support/shared-app.js';
import { World, newEmail } from '../support/world.js';

let test: TestApp;
let world: World;
let accounts: Accounts;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  accounts = new Accounts(world);
});
afterAll(() => test.close());

const newName = (): string => `name-${randomBytes(6).toString('hex')}`;

const rename = (jwt: string, username: string) =>
  world.anonymous.put<{ code?: string }>(world.sdk('/users'), { username }, { token: jwt });

const undo = (userId: string) => test.app.get(Unmerges, { strict: false }).undo(world.environmentId, userId);

const nameOf = async (userId: string): Promise<unknown> => (await accounts.user(userId))['username'];

const holdersOf = async (name: string): Promise<string[]> => {
  const rows = await rowsOf<{ id: string }>(
    test,
    'SELECT id FROM users WHERE lower(username) = lower($1) ORDER BY id',
    [name],
  );
  return rows.map(({ id }) => id);
};

/** Two people with a name each, of whom the first has become the second's, and keeps one of the names. */
async function merged(kept: 'ada' | 'eve') {
  const names = { ada: newName(), eve: newName() };
  const people = await accounts.offered({ ada: { username: names.ada }, eve: { username: names.eve } });
  const answer = await accounts.post('/verify/merge', people.ada.jwt, {
    mergeUserResolutions: [{ fieldKey: 'username', userId: people[kept].userId, type: 'standard' }],
  });
  expect(answer.status).toBe(200);
  return { ...people, names };
}

describe('a user name, after a merge was undone', () => {
  it('is the restored user’s alone, and that user can keep it', async () => {
    const { ada, eve, names } = await merged('eve');
    await undo(ada.userId);
    expect([await nameOf(ada.userId), await nameOf(eve.userId)]).toEqual([names.ada, names.eve]);
    const { jwt } = await world.signIn(eve.email);
    expect((await rename(jwt, names.eve)).status).toBe(200);
    const other = await world.signIn(newEmail());
    for (const name of Object.values(names)) {
      const refused = await rename(other.jwt, name);
      expect([refused.status, codeOf(refused)]).toEqual([422, 'username_already_exists']);
    }
  });

  it.each(['ada', 'eve'] as const)('stays with whoever took it since, where %s’s name was kept', async (kept) => {
    const { ada, eve, names } = await merged(kept);
    const freed = kept === 'ada' ? names.eve : names.ada;
    const other = await world.signIn(newEmail());
    // A name that was given up is free after a minute.
    await rowsOf(
      test,
      "UPDATE identifier_claims SET created_at = created_at - interval '2 min' WHERE environment_id = $1",
      [world.environmentId],
    );
    expect((await rename(other.jwt, freed)).status).toBe(200);
    await undo(ada.userId);
    expect(await holdersOf(freed)).toEqual([other.userId]);
    expect(await holdersOf(names[kept])).toEqual([kept === 'ada' ? ada.userId : eve.userId]);
    for (const one of [ada, eve]) expect((await world.signIn(one.email)).userId).toBe(one.userId);
  });

  it('has one owner, whoever asks for it while the merge is being undone', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { ada, names } = await merged('ada');
      const others = await Promise.all(Array.from({ length: 10 }, () => world.signIn(newEmail())));
      const asked = others.flatMap(({ jwt }) => Array.from({ length: 5 }, () => rename(jwt, names.eve)));
      const [, ...answers] = await Promise.all([undo(ada.userId), ...asked]);
      expect(answers.every(({ status }) => status < 500)).toBe(true);
      expect(await holdersOf(names.eve)).toHaveLength(1);
    }
  });
});

describe('a unique value of a custom field, after a merge was undone', () => {
  let key: string;

  beforeAll(async () => {
    const field = { name: 'Seat', enabled: true, required: false, fieldType: 'text', position: 1 };
    const body = { ...field, validationRules: { unique: true } };
    key = (await world.api.post<{ key: string }>(world.path('/custom/fields'), body, { expect: 201 })).body.key;
    const known = test.app.get(KnownCustomFields, { strict: false });
    await eventually('the field is asked for', async () =>
      (await known.read(world.environmentId)).customFields?.some(({ name }) => name === key),
    );
  });

  it.each(['ada', 'eve'] as const)('stays with whoever took it since, where %s’s was kept', async (kept) => {
    const values = { ada: newName(), eve: newName() };
    const people = await accounts.offered({
      ada: { metadata: { [key]: values.ada, own: 1 } },
      eve: { metadata: { [key]: values.eve, theirs: 2 } },
    });
    const { ada, eve } = people;
    const resolutions = [{ fieldKey: key, userId: people[kept].userId, type: 'custom' }];
    const merged = await accounts.post('/verify/merge', ada.jwt, { mergeUserResolutions: resolutions });
    expect(merged.status).toBe(200);
    const freed = kept === 'ada' ? 'eve' : 'ada';
    const other = await world.signIn(newEmail());
    await accounts.update(other.jwt, { metadata: { [key]: values[freed] } });
    await undo(ada.userId);
    const metadataOf = async ({ userId }: { userId: string }) => (await accounts.user(userId))['metadata'];
    expect(await metadataOf(other)).toEqual({ [key]: values[freed] });
    expect(await metadataOf(ada)).toEqual({ own: 1, ...(kept === 'ada' && { [key]: values.ada }) });
    expect(await metadataOf(eve)).toEqual({ theirs: 2, ...(kept === 'eve' && { [key]: values.eve }) });
    for (const one of [ada, eve]) expect((await world.signIn(one.email)).userId).toBe(one.userId);
  });
});
