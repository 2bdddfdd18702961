import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EnvironmentsPurge } from '../../src/organizations/environments/environments-purge.job.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { World } from '../support/world.js';

describe('a table of a team that is not as the seven steps have it', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
  });
  afterAll(() => test.close());

  it('keeps no deleted environment from going, though it has no primary key', async () => {
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
});
