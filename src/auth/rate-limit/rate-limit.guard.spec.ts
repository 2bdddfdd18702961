import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { Public } from '../access.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import type { RateLimiter } from './rate-limiter.js';

class Operations {
  @Public()
  read(): void {
    // Its declaration alone is looked at.
  }
}

/** The keys of the windows that a call to an environment is taken from, by their limits. */
function windowsOf(environmentId: string): Record<string, string> {
  const windows: Record<string, string> = {};
  const take = ({ name }: { name: string }, key: string): null => {
    windows[name] = key;
    return null;
  };
  const request = { params: { environmentId }, headers: {}, socket: { remoteAddress: '192.0.2.1' } };
  const context = {
    getHandler: () => Operations.prototype.read,
    getClass: () => Operations,
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
});
