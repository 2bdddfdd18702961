import { DevInbox, type InboxEntry } from '../../src/providers/index.js';
import type { Role } from '../../src/auth/index.js';
import { TestClient, type Answer } from './client.js';
import type { TestApp } from './app.js';
import { newEmail, type World } from './world.js';

export interface ShownInvite {
  id: string;
  organizationId: string;
  organizationName: string;
  status: string;
  email: string;
  role: Role;
  alias?: string;
  walletPublicKey?: string;
  createdByEmail?: string;
}

/** A user signed in to the console, whose address is therefore verified. */
export interface Guest {
  email: string;
  userId: string;
  client: TestClient;
}

/** The path of an operation on the organization of a world. */
export const ofOrganization = (world: World, rest: string): string =>
  `/organizations/${world.ids.organizationId}${rest}`;

export async function signInGuest(world: World, email = newEmail()): Promise<Guest> {
  const { jwt, userId } = await world.signIn(email, { environmentId: world.ids.consoleEnvironmentId });
  return { email, userId, client: new TestClient(world.test.url, jwt) };
}

export const invite = <T = never>(
  world: World,
  body: object,
  options: { as?: TestClient; expect?: number } = {},
): Promise<Answer<T>> =>
  (options.as ?? world.owner).post<T>(ofOrganization(world, '/invites'), body, { expect: options.expect });

export async function listInvites(world: World, as = world.owner): Promise<ShownInvite[]> {
  const path = ofOrganization(world, '/invites');
  return (await as.get<{ invites: ShownInvite[] }>(path, { expect: 200 })).body.invites;
}

export async function inviteGuest(world: World, guest: Guest, role: Role = 'developer'): Promise<ShownInvite> {
  await invite(world, { email: guest.email, role }, { expect: 200 });
  return (await listInvites(world)).find(({ email }) => email === guest.email)!;
}

export const answer = <T = never>({ client }: Guest, id: string, status: string): Promise<Answer<T>> =>
  client.put<T>(`/invites/${id}`, { status });

/** The newest message to an address. */
export const mailTo = ({ app }: TestApp, email: string): InboxEntry | undefined =>
  app.get(DevInbox).entries.find(({ to }) => to === email);

/** Adds a member with a role by accepting an invite. */
export async function joined(world: World, role: Role): Promise<Guest> {
  const guest = await signInGuest(world);
  const { id } = await inviteGuest(world, guest, role);
  const { status } = await answer(guest, id, 'accepted');
  if (status !== 200) throw new Error(`The invite was not accepted: ${status}`);
  return guest;
}
