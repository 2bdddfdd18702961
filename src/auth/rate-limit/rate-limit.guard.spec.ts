import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { Public } from '../access.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RATE_RULES } from './rate-limit.js';
import type { RateLimiter } from './rate-limiter.js';

class Operations {
  @Public()
  read(): void {
    // Its declaration alone is looked at.
  }
}

/** The keys of the windows that a call is taken from, by their limits. */
function windowsOf(environmentId?: string, remoteAddress = '192.0.2.1'): Record<string, string> {
  const windows: Record<string, string> = {};
  const take = ({ name }: { name: string }, key: string): null => {
    windows[name] = key;
    return null;
  };
  const params = environmentId === undefined ? {} : { environmentId };
  const request = { params, headers: {}, socket: { remoteAddress } };
  const context = {
    getHandler: () => Operations.prototype.read,
    getClass: () => Operations,
    getType: () => 'http',
    switchToHttp: () => ({ getRequest: () => request }),
  };
  const guard = new RateLimitGuard({ take } as unknown as RateLimiter);
  expect(guard.canActivate(context as unknown as ExecutionContext)).toBe(true);
  return windows;
}

describe('the limit of an environment', () => {
  it('counts all calls to it in one window, however they write its id', () => {
    const id = '018f0000-abcd-7000-8000-00000000000e';
    expect(windowsOf(id)).toEqual({ client: '192.0.2.1', 'client-environment': id });
    expect(windowsOf(id.toUpperCase())).toEqual(windowsOf(id));
  });

  it('is not one window of all tenants where a path names none', () => {
    expect(windowsOf()).toEqual({ client: '192.0.2.1' });
    expect(windowsOf(undefined, '2001:db8:7:1::1')).toEqual({ client: '2001:db8:7:1' });
  });

  it('is left in part to others by one IPv6 /48, however many addresses it has', () => {
    const id = '018f0000-abcd-7000-8000-00000000000e';
    const network = `${id} 2001:db8:7`;
    expect(windowsOf(id, '2001:db8:7:1::1')).toEqual({
      client: '2001:db8:7:1',
      'client-network': network,
      'client-environment': id,
    });
    expect(windowsOf(id, '2001:db8:7:ffff::2')).toMatchObject({ 'client-network': network });
    expect(windowsOf(id, '2001:db8:8:1::1')['client-network']).not.toBe(network);
    expect(windowsOf(id, '::ffff:192.0.2.1')).toEqual(windowsOf(id));
    expect(RATE_RULES.clientNetwork.limit * 4).toBeLessThanOrEqual(RATE_RULES.clientEnvironment.limit);
  });
});
