import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/auth/index.js';
import type { TestApp } from '../support/app.js';
import type { Answer } from '../support/client.js';
import { IdentityProvider } from '../support/identity-provider.js';
import { invite, joined, listInvites, ofOrganization, type Guest } from '../support/invites.js';
import { waitingForMe } from '../support/lock-waits.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { sharedTestApp } from '../support/shared-app.js';
import { World, newEmail } from '../support/world.js';

type Refusal = Answer<{ code: string }>;
type Call = (member: Guest) => Promise<Refusal>;

describe('a role that is taken away while a call waits for the organization', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  /** The answer to a call whose caller gets another role before it takes effect. */
  const answered = (member: Guest, role: Role, call: Call): Promise<Refusal> =>
    withClient(test.databaseUrl, async (client) => {
      const { organizationId } = world.ids;
      await client.query('BEGIN');
      await client.query('SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
      await client.query('UPDATE members SET role = $3 WHERE organization_id = $1 AND user_id = $2', [
        organizationId,
        member.userId,
        role,
      ]);
      const asked = call(member);
      await eventually(
        'the call waits for the organization',
        async () => (await waitingForMe(client, 'organizations')) > 0,
      );
      await client.query('COMMIT');
      return asked;
    });
  const open = async (role: Role): Promise<string> => {
    const email = newEmail();
    await invite(world, { email, role }, { expect: 200 });
    return (await listInvites(world)).find((one) => one.email === email)!.id;
  };

  it.each<[string, Call]>([
    ['a project', ({ client }) => client.put(`/projects/${world.ids.projectId}`, { name: 'Theirs' })],
    ['an organization', ({ client }) => client.put(ofOrganization(world, ''), { name: 'Theirs' })],
    ['its address', ({ client }) => client.put(ofOrganization(world, '/address'), { city: 'Zurich' })],
  ])('no longer changes %s', async (_what, call) => {
    const admin = await joined(world, 'admin');
    const read = async () =>
      (
        await Promise.all(
          [ofOrganization(world, ''), `/projects/${world.ids.projectId}`].map((path) => world.owner.get(path)),
        )
      ).map(({ body }) => body);
    const before = await read();
    expect(await answered(admin, 'viewer', call)).toMatchObject({ status: 403, body: { code: 'role_withdrawn' } });
    expect(await read()).toEqual(before);
  });

  describe('and for its sign-in', () => {
    let provider: IdentityProvider;
    const setup = (rest = '') => ofOrganization(world, `/ssoProvider${rest}`);

    beforeAll(async () => {
      provider = await IdentityProvider.start();
    });
    afterAll(() => provider.stop());

    const request = () => ({
      ...{ clientId: 'ours', clientSecret: 'secret', ssoDomain: provider.issuer },
      ...{ emailDomain: 'ours.example', provider: 'okta' },
    });

    it('sets single sign-on up, changes and removes it no more', async () => {
      const admin = await joined(world, 'admin');
      const refused = { status: 403, body: { code: 'role_withdrawn' } };
      const refuse = async (call: Call) => {
        await rowsOf(test, "UPDATE members SET role = 'admin' WHERE user_id = $1", [admin.userId]);
        expect(await answered(admin, 'developer', call)).toMatchObject(refused);
      };
      await refuse(({ client }) => client.post(setup(), request()));
      await world.owner.get(setup(), { expect: 404 });
      const made = (await world.owner.post<{ id: string }>(setup(), request(), { expect: 201 })).body;
      await refuse(({ client }) => client.put(setup(`/${made.id}`), { clientId: 'theirs' }));
      await refuse(({ client }) => client.delete(setup(`/${made.id}`)));
      expect((await world.owner.get(setup(), { expect: 200 })).body).toEqual(made);
    });

    it('changes nothing about second factors', async () => {
      const owner = await joined(world, 'owner');
      const path = ofOrganization(world, '/mfaSettings');
      const before = (await world.owner.get(path, { expect: 200 })).body;
      const call: Call = ({ client }) => client.put(`${path}/email/enable`);
      expect(await answered(owner, 'admin', call)).toMatchObject({ status: 403, body: { code: 'role_withdrawn' } });
      expect((await world.owner.get(path, { expect: 200 })).body).toEqual(before);
    });
  });

  it('invites nobody any more', async () => {
    const [email, admin] = [newEmail(), await joined(world, 'admin')];
    const call: Call = ({ client }) => client.post(ofOrganization(world, '/invites'), { email, role: 'viewer' });
    expect(await answered(admin, 'developer', call)).toMatchObject({ status: 403, body: { code: 'role_withdrawn' } });
    expect((await listInvites(world)).map((one) => one.email)).not.toContain(email);
  });

  it('gives no more than the role that is left', async () => {
    const [email, admin] = [newEmail(), await joined(world, 'owner')];
    const call: Call = ({ client }) => client.post(ofOrganization(world, '/invites'), { email, role: 'owner' });
    expect(await answered(admin, 'admin', call)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await listInvites(world)).map((one) => one.email)).not.toContain(email);
  });

  it.each<[Role, Role, Role, string]>([
    ['admin', 'developer', 'viewer', 'role_withdrawn'],
    ['owner', 'admin', 'owner', 'forbidden'],
  ])('of %s, of which %s is left, withdraws no invite for %s', async (role, left, invited, code) => {
    const [id, member] = [await open(invited), await joined(world, role)];
    const call: Call = ({ client }) => client.delete(`/invites/${id}`);
    expect(await answered(member, left, call)).toMatchObject({ status: 403, body: { code } });
    expect((await listInvites(world)).map((one) => one.id)).toContain(id);
  });
});
