import { describe, expect, it } from '@jest/globals';
import type { EnvironmentId } from '../../database/index.js';
import type { OriginPolicy } from './origin-policy.js';
import type { ReturnAddressesRepository } from './return-addresses.repository.js';
import { ReturnAddresses } from './return-addresses.js';

const ORIGIN = 'https://app.example.com';
const DEEPLINK = 'app://signed-in';

/** @param isAdmitted whether the environment admits its registered origin */
function allowed(address: string, { isAdmitted = true } = {}): Promise<boolean> {
  const registered: ReadonlySet<string> = new Set([ORIGIN, 'https://*.example.com']);
  const addresses: Pick<ReturnAddressesRepository, 'find'> = {
    find: async (_, url, origin) => (url === DEEPLINK ? 'deeplink' : registered.has(origin) ? 'origin' : null),
  };
  const origins: Pick<OriginPolicy, 'allows'> = { allows: async () => isAdmitted };
  const own = new ReturnAddresses(addresses as ReturnAddressesRepository, origins as OriginPolicy);
  return own.allows('e' as EnvironmentId, address);
}

describe('a sign-in returns', () => {
  it.each([DEEPLINK, ORIGIN, `${ORIGIN}/`, `${ORIGIN}/back?to=home`])('to %s', async (address) => {
    expect(await allowed(address)).toBe(true);
  });

  it.each([
    ['another deeplink', `${DEEPLINK}/x`],
    ['another site', 'https://evil.example.com/back'],
    ['another port', `${ORIGIN}:8443/back`],
    ['a site of a wildcard', 'https://*.example.com/back'],
    ['a wildcard in the path', `${ORIGIN}/*`],
    ['a user before the host', 'https://evil@app.example.com/back'],
    ['a password before the host', 'https://:evil@app.example.com/back'],
    ['a fragment', `${ORIGIN}/back#evil`],
    ['a path that browsers write otherwise', `${ORIGIN}/a/../back`],
    ['a backslash', 'https:\\\\app.example.com\\back'],
    ['upper case', 'https://APP.example.com/back'],
    ['the default port', `${ORIGIN}:443/back`],
    ['a space before it', ` ${ORIGIN}/back`],
    ['an address of more than 2,048 characters', `${ORIGIN}/${'a'.repeat(2_048)}`],
    ['no address', 'back'],
  ])('not to %s', async (_, address) => {
    expect(await allowed(address)).toBe(false);
  });

  it('not to a registered site that the environment admits no more', async () => {
    expect(await allowed(`${ORIGIN}/back`, { isAdmitted: false })).toBe(false);
    expect(await allowed(DEEPLINK, { isAdmitted: false })).toBe(true);
  });
});
