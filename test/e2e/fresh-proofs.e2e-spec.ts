import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Doors, type Credential } from '../support/doors.js';
import { knownWithin } from '../support/known-within.js';
import type { World } from '../support/world.js';

interface Check {
  credentials: { id: string; format: string; type?: string }[];
  defaultCredentialId?: string;
}

let doors: Doors;
let world: World;

beforeAll(async () => {
  doors = await Doors.open();
  ({ world } = doors);
});
afterAll(() => doors.close());

const SCOPES = { requestedScopes: ['credential:link'] };

/** By the provider that an environment can disable; those without one are always open. */
const WAYS: [name: string, () => Credential | Promise<Credential>, provider: string | null][] = [
  ['a code by mail', () => doors.email(), 'emailOnly'],
  ['a code by text message', () => doors.sms(), 'sms'],
  ['a wallet', () => doors.wallet(), null],
  ['an account at a provider', () => doors.oauth(), 'github'],
  ['an account of the messaging network', () => doors.telegram(), 'telegram'],
  ['an account of the frame network', () => doors.frame(), 'farcaster'],
  ['a passkey', () => doors.passkey(), null],
  ['a token of another service', () => doors.external(), null],
];

const namedFor = async (jwt: string): Promise<Check> => {
  const path = world.sdk('/stepUp/check');
  return (await world.anonymous.post<Check>(path, { scope: 'credential:link' }, { token: jwt, expect: 200 })).body;
};

async function toggle(provider: string, state: 'enable' | 'disable'): Promise<void> {
  const path = world.path('/settings/providers');
  const { body } = await world.api.get<{ providers: { id: string; provider: string }[] }>(path, { expect: 200 });
  const { id } = body.providers.find((each) => each.provider === provider)!;
  await world.owner.put(`/settings/providers/${id}/${state}`, undefined, { expect: 200 });
}

describe('the credentials named for a fresh proof', () => {
  it.each(WAYS)('include the one of the sign-in exactly if it can give one: %s', async (_name, known, provider) => {
    const credential = await known();
    const { jwt, user } = await doors.enter(credential);
    const [last] = user.verifiedCredentials.slice(-1) as { format: string }[];
    const asked = await credential.signIn(SCOPES);
    const canElevate = asked.status === 200 && asked.body.elevatedAccessToken !== undefined;
    const isNamed = async (): Promise<boolean> =>
      (await namedFor(jwt)).credentials.some(({ format }) => format === last!.format);
    expect(await isNamed()).toBe(canElevate);

    if (provider === null || !canElevate) return;
    await toggle(provider, 'disable');
    expect(await knownWithin(2_000, isNamed, (named) => !named)).toBe(false);
    await toggle(provider, 'enable');
    expect(await knownWithin(2_000, isNamed, (named) => named)).toBe(true);
  });
});
