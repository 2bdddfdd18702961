import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/common/ids.js';
import { ErasedPeopleRepository } from '../../src/webhooks/erasure/erased-people.repository.js';
import type { TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { sharedTestApp } from '../support/shared-app.js';
import { World } from '../support/world.js';

describe('an event about somebody who is erased', () => {
  let test: TestApp;
  let world: World;
  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  interface Columns {
    userId?: string;
    subjectUserId?: string;
    resourceId?: string;
    data?: object;
  }
  async function event(columns: Columns, environmentId = world.environmentId): Promise<string> {
    const id = newId();
    const { userId = null, subjectUserId = null, resourceId = null, data = {} } = columns;
    await rowsOf(
      test,
      `INSERT INTO events (environment_id, id, name, user_id, subject_user_id, resource_id, external_user_id, data, dispatched_at)
       VALUES ($1, $2, 'user.updated', $3, $4, $5, 'theirs', $6, now())`,
      [environmentId, id, userId, subjectUserId, resourceId, JSON.stringify({ email: 'ann@example.com', ...data })],
    );
    return id;
  }
  const dataOf = (id: string) =>
    rowsOf(test, 'SELECT data, external_user_id AS "externalUserId" FROM events WHERE id = $1', [id]);

  it('keeps ids alone, however it names the person, and those of others stay', async () => {
    const [gone, other] = [newId(), newId()];
    const theirs: Columns[] = [
      { userId: gone },
      { subjectUserId: gone },
      { resourceId: gone },
      { data: { userId: gone } },
      { data: { fromUserId: gone } },
    ];
    // A member's own token, of which the console environment was told with the note that they gave it.
    const token = await event({ data: { id: other, note: 'Ann’s laptop', createdBy: { id: gone } } });
    const about = await Promise.all(theirs.map((columns) => event(columns)));
    const staying = [
      await event({ userId: other, subjectUserId: other, resourceId: other, data: { userId: other } }),
      await event({ userId: gone }, world.ids.environments.live),
    ];
    const people = test.app.get(ErasedPeopleRepository, { strict: false });
    let after = await people.scrub(world.environmentId, [gone]);
    while (after !== null) after = await people.scrub(world.environmentId, [gone], after);
    for (const [at, id] of about.entries()) {
      const expected = [{ data: theirs[at]!.data ?? {}, externalUserId: null }];
      expect([theirs[at], await dataOf(id)]).toEqual([theirs[at], expected]);
    }
    expect(await dataOf(token)).toEqual([{ data: { id: other }, externalUserId: null }]);
    for (const id of staying) {
      expect(await dataOf(id)).toMatchObject([{ data: { email: 'ann@example.com' }, externalUserId: 'theirs' }]);
    }
  });
});
