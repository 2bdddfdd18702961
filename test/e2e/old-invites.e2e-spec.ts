import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { UnitOfWork } from '../../src/database/index.js';
import { InvitesRepository } from '../../src/organizations/invites/invites.repository.js';
import { InvitesPurge } from '../../src/organizations/invites/invites-purge.job.js';
import type { TestApp } from '../support/app.js';
import { listInvites } from '../support/invites.js';
import { rowsOf } from '../support/rows.js';
import { sharedTestApp } from '../support/shared-app.js';
import { newEmail, World } from '../support/world.js';

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});
afterAll(() => test.close());

it.each(['pending', 'accepted', 'rejected'])(
  'an invite that is %s is removed 90 days after it would have expired, and no sooner',
  async (status) => {
    const world = await World.create(test);
    const { organizationId, ownerUserId } = world.ids;
    await rowsOf(
      test,
      `INSERT INTO invites (organization_id, id, email, role, status, token_hash, created_by, created_at, expires_at,
         answered_at, answered_by)
       SELECT $1, gen_random_uuid(), n || '@example.com', 'viewer', $2::text, sha256(gen_random_uuid()::text::bytea), $3::uuid,
         at - interval '7 days', at, CASE WHEN $2::text <> 'pending' THEN at END, CASE WHEN $2::text <> 'pending' THEN $3::uuid END
       FROM generate_series(-1, 1500) AS n, LATERAL (SELECT now() - n * interval '2 hours' AS at) AS t`,
      [organizationId, status, ownerUserId],
    );
    await test.app.get(InvitesPurge, { strict: false }).run();
    const sql = `SELECT count(*)::int AS left, max(split_part(email, '@', 1)::int) AS oldest FROM invites
       WHERE organization_id = $1`;
    expect(await rowsOf(test, sql, [organizationId])).toEqual([{ left: 90 * 12 + 1, oldest: 90 * 12 - 1 }]);
    expect(await listInvites(world)).toHaveLength(status === 'pending' ? 1 : 100);
  },
);

it('what is forgotten with a person leaves what somebody else answered at the same address', async () => {
  const world = await World.create(test);
  const { organizationId } = world.ids;
  const [address, person, other] = [newEmail(), randomUUID(), randomUUID()];
  const add = (email: string, answeredBy: string | null) =>
    rowsOf(
      test,
      `INSERT INTO invites (organization_id, id, email, role, status, token_hash, created_by, expires_at, answered_at,
         answered_by)
       VALUES ($1, gen_random_uuid(), $2, 'viewer', CASE WHEN $3::uuid IS NULL THEN 'pending' ELSE 'accepted' END,
         sha256(gen_random_uuid()::text::bytea), $1, now() + interval '1 day',
         CASE WHEN $3::uuid IS NOT NULL THEN now() END, $3::uuid)`,
      [organizationId, email, answeredBy],
    );
  for (const answeredBy of [null, person, other]) await add(address, answeredBy);
  await add(newEmail(), person);
  await add(newEmail(), null);
  const invites = test.app.get(InvitesRepository, { strict: false });
  await test.app.get(UnitOfWork, { strict: false }).run((tx) => invites.forgetPerson(person, [address], tx));
  const left = await rowsOf(
    test,
    `SELECT email = $2 AS same, answered_by AS "answeredBy" FROM invites WHERE organization_id = $1 ORDER BY answered_by`,
    [organizationId, address],
  );
  expect(left).toEqual([
    { same: true, answeredBy: other },
    { same: false, answeredBy: null },
  ]);
});
