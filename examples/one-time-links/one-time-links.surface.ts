import { word } from '../../test/support/surface/records.js';
import type { Surface } from '../../test/support/surface/surface.js';
import type { Tenant } from '../../test/support/surface/tenant.js';

/** The body of a sign-in, with a link of its own: following one uses it up. */
async function newLink({ world }: Tenant): Promise<{ secret: string }> {
  const request = { person: word() };
  const made = await world.api.post<{ secret: string }>(world.path('/oneTimeLinks'), request, { expect: 201 });
  return { secret: made.body.secret };
}

async function signInAndRevoke(tenant: Tenant): Promise<void> {
  const { world } = tenant;
  const path = world.sdk('/oneTimeLinks/signin');
  const { body } = await world.anonymous.post<{ user: { id: string } }>(path, await newLink(tenant), { expect: 200 });
  await world.api.post(`/users/${body.user.id}/sessions/revoke`, undefined, { expect: 204 });
}

/** What neither the API document nor the database can express. */
export const surface: Surface = {
  operations: {
    createOneTimeLink: {
      untold: 'signs nobody in until it is followed',
      unrecorded: 'servers make links all day, and the sign-in is an event',
    },
    signInWithOneTimeLink: {
      request: async (tenant) => ({ body: await newLink(tenant) }),
      toldSometimes: { 'user.session.revoked': 'when the user has as many sessions as there may be' },
    },
  },
  scenarios: { 'a link whose session is revoked': signInAndRevoke },
  impersonal: { one_time_links: 'names people by the id of the team alone, and for an hour' },
};
