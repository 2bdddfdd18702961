import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { isNavigatedTo, operationOf } from '../../common/http/operation.js';
import { clientAddress, type ServiceRequest } from '../../common/http/request.js';
import { accessOf } from '../access.js';
import { addressKey, ipv6NetworkOf } from './address-key.js';
import { RATE_RULES, rateLimitOf, type RateRule } from './rate-limit.js';
import { beyondLimit, RateLimiter } from './rate-limiter.js';

const CLIENT_RULES: readonly RateRule[] = [RATE_RULES.client, RATE_RULES.clientNetwork, RATE_RULES.clientEnvironment];
const SERVER_RULES: readonly RateRule[] = [RATE_RULES.server];

/** An operation and the limits of its calls; pages have no id. */
interface Limited {
  rules: readonly RateRule[];
  operationId: string | undefined;
  navigatedTo: boolean;
}

/** Refuses calls beyond the rate limits, before any credential is verified. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly known = new WeakMap<object, Limited>();

  constructor(private readonly limiter: RateLimiter) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    // A message to a gateway is no request. The access guard admits those of pages only, which have no general limits.
    if (context.getType() !== 'http') return true;
    const { rules, operationId, navigatedTo } = this.limitsOf(context);
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    // Set here, in the first guard, so that refused calls have an operation as well.
    request.operationId = operationId;
    request.isNavigatedTo = navigatedTo;
    const address = addressKey(clientAddress(request));
    for (const [at, rule] of rules.entries()) {
      const wait = this.take(rule, request, address);
      // The remaining limits are checked once the first asynchronous one has answered.
      if (wait !== null) return this.awaitRest(context, rules.slice(at), wait, address);
    }
    return true;
  }

  private async awaitRest(
    context: ExecutionContext,
    rules: readonly RateRule[],
    first: number | Promise<number | null>,
    address: string,
  ): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    for (const [at, rule] of rules.entries()) {
      const waitSeconds = await (at === 0 ? first : this.take(rule, request, address));
      if (waitSeconds !== null) throw beyondLimit(rule, waitSeconds);
    }
    return true;
  }

  private take(rule: RateRule, request: ServiceRequest, address: string): number | null | Promise<number | null> {
    const key = keyOf(rule, request, address);
    return key === null ? null : this.limiter.take(rule, key);
  }

  private limitsOf(context: ExecutionContext): Limited {
    const handler = context.getHandler();
    let limited = this.known.get(handler);
    if (!limited) {
      const own = rateLimitOf(handler);
      const audience = accessOf(handler, context.getClass())?.audience;
      const general = audience === 'dashboard' ? SERVER_RULES : audience === 'page' ? [] : CLIENT_RULES;
      limited = {
        rules: own ? [own, ...general] : general,
        operationId: operationOf(handler)?.id,
        navigatedTo: isNavigatedTo(handler),
      };
      this.known.set(handler, limited);
    }
    return limited;
  }
}

/**
 * Ids are lower-cased, so that one has one window whatever its case. Null if the rule does not apply to the address, or
 * counts for an environment and the path names none: all tenants would share the window.
 */
function keyOf({ per }: RateRule, request: ServiceRequest, address: string): string | null {
  if (per === 'address') return address;
  const { environmentId } = request.params;
  if (typeof environmentId !== 'string') return null;
  const environment = environmentId.slice(0, 36).toLowerCase();
  if (per === 'environment') return environment;
  const network = ipv6NetworkOf(address);
  return network === null ? null : `${environment} ${network}`;
}
