import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { command } from '../support/operator.js';
import { rowsOf } from '../support/rows.js';
import { sharedTestApp } from '../support/shared-app.js';
import { World } from '../support/world.js';

const SENT = 'Ann\u001b[2J\u202enna';
const SHOWN = String.raw`Ann\u001b[2J\u202enna`;

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
});
afterAll(() => test.close());

it('names that pages send are printed with escapes', async () => {
  await rowsOf(
    test,
    `INSERT INTO client_event_counts (environment_id, event, day, count) VALUES ($1, $2, current_date, 1)`,
    [world.environmentId, SENT],
  );
  const { stdout } = await command(test.app, 'analytics', 'clients', '--environment', world.environmentId);
  expect(stdout).toContain(`"${SHOWN}"`);
});
