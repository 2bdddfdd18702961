import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { keysRewrap, keysStatus } from '../../src/cli/keys.commands.js';
import { PersonRows } from '../../src/database/index.js';
import { EnvironmentSurvey, MovingModule, MovingPart, moves } from '../../src/moving/index.js';
import { EnvironmentsPurge } from '../../src/organizations/environments/environments-purge.job.js';
import { ProviderRow } from '../../src/providers/settings/provider.entity.js';
import { KeyVault } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

describe('a table of a team that is not as the seven steps have it', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
  });
  afterAll(() => test.close());

  it('does not block the removal of a deleted environment, although it has no primary key', async () => {
    await rowsOf(
      test,
      'CREATE TABLE visits_counted (environment_id uuid NOT NULL REFERENCES environments (id) ON DELETE CASCADE, page text)',
    );
    const world = await World.create(test);
    const ids = [world.ids.environments.sandbox, world.ids.environments.live];
    await rowsOf(test, "INSERT INTO visits_counted SELECT unnest($1::uuid[]), 'home' FROM generate_series(1, 600)", [
      ids,
    ]);
    await rowsOf(test, "UPDATE environments SET deleted_at = now() - interval '1 minute' WHERE id = ANY ($1::uuid[])", [
      ids,
    ]);
    expect(await test.app.get(EnvironmentsPurge, { strict: false }).run()).toBe(true);
    expect(await rowsOf(test, 'SELECT 1 FROM visits_counted')).toEqual([]);
    expect(await rowsOf(test, 'SELECT 1 FROM environments WHERE id = ANY ($1::uuid[])', [ids])).toEqual([]);
  });

  it('is found by data exports and moves, although its key names the environment last', async () => {
    await rowsOf(
      test,
      `CREATE TABLE wishes (id uuid PRIMARY KEY, user_id uuid NOT NULL, environment_id uuid NOT NULL, text text NOT NULL,
         FOREIGN KEY (user_id, environment_id) REFERENCES users (id, environment_id) ON DELETE CASCADE)`,
    );
    const world = await World.create(test);
    const { environmentId } = world;
    const { userId } = await world.signIn(newEmail());
    await rowsOf(test, "INSERT INTO wishes VALUES (gen_random_uuid(), $1, $2, 'a pony')", [userId, environmentId]);
    const told = await test.app.get(PersonRows).list(environmentId, userId, 10);
    expect(told.find(({ table }) => table === 'wishes')?.rows).toMatchObject([{ text: 'a pony' }]);
    const { staying } = await test.app.get(EnvironmentSurvey).of(environmentId);
    expect(staying.find(({ table }) => table === 'wishes')?.rows).toBe(1);
  });
});

describe('a sealed column that a team says moves like any other', () => {
  @Injectable()
  class Careless extends MovingPart {
    readonly moving = [moves(ProviderRow)];
    readonly staying = [];
  }

  @Module({ imports: [MovingModule], providers: [Careless] })
  class CarelessModule {}

  it('would be under the master key of another installation, so the application does not start', async () => {
    const start = startTestApp({ env: { ROLE: 'api' }, extensions: [CarelessModule] });
    await expect(start.then((app) => app.close())).rejects.toThrow(
      'providers has a sealed column, which moves() does not name as its seal.',
    );
  });
});

describe('sealed rows of an extension that is not listed any more', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    await World.create(test);
  });
  afterAll(() => test.close());

  const printed = async (command: typeof keysStatus, ...words: string[]): Promise<string[]> => {
    const lines: string[] = [];
    const print = jest.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    try {
      await command(test.app, words);
    } finally {
      print.mockRestore();
    }
    return lines;
  };

  it('do not count as moved: no master key is retired that they are under', async () => {
    const all = 'Every sealed record is under the current master key.';
    expect(await printed(keysRewrap)).toContain(all);
    await rowsOf(
      test,
      'CREATE TABLE letters (environment_id uuid, id uuid PRIMARY KEY, sealed bytea, master_key_id text)',
    );
    await rowsOf(
      test,
      "INSERT INTO letters VALUES (NULL, gen_random_uuid(), NULL, NULL), (NULL, gen_random_uuid(), '', $1)",
      [test.app.get(KeyVault).currentKeyId],
    );
    expect(await printed(keysRewrap)).toContain(all);

    await rowsOf(test, "INSERT INTO letters VALUES (NULL, gen_random_uuid(), '', 'older')");
    await expect(printed(keysRewrap, '--retire')).rejects.toThrow(/1 of letters\), and no installed module/);
    expect(await printed(keysStatus)).toContain(
      'letters  1 under an older master key, and no installed module rewraps them',
    );
  });
});
