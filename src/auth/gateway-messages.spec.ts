import { describe, expect, it } from '@jest/globals';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { AccessGuard } from './access.guard.js';
import { Dashboard, EndUser, Page, Public } from './access.js';
import { RateLimitGuard } from './rate-limit/rate-limit.guard.js';

@Page()
class OpenGateway {
  message(): void {
    // Its declaration alone is looked at.
  }
}

class Gateway {
  undeclared(): void {
    // As above.
  }

  @Public()
  public(): void {
    // As above.
  }

  @EndUser()
  endUser(): void {
    // As above.
  }

  @Dashboard({ scope: null, role: 'viewer' })
  dashboard(): void {
    // As above.
  }
}

/** A message as Nest hands it to guards, which it runs around gateways as well: no request, but a client and data. */
function messageTo(gateway: typeof Gateway | typeof OpenGateway, handler: () => void): ExecutionContextHost {
  const context = new ExecutionContextHost([{ id: 'a client' }, { text: 'hello' }], gateway, handler);
  context.setType('ws');
  return context;
}

/** Neither guard needs anything to decide. */
const guards = [new (RateLimitGuard as new () => RateLimitGuard)(), new (AccessGuard as new () => AccessGuard)()];
const isAdmitted = (context: ExecutionContextHost): boolean =>
  guards.every((guard) => guard.canActivate(context) === true);

describe('a message to a gateway of an extension', () => {
  it('is admitted if the gateway is a page', () => {
    expect(isAdmitted(messageTo(OpenGateway, OpenGateway.prototype.message))).toBe(true);
  });

  it.each(['undeclared', 'public', 'endUser', 'dashboard'] as const)('is refused by one that is %s', (name) => {
    expect(() => isAdmitted(messageTo(Gateway, Gateway.prototype[name]))).toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    );
  });
});
