import { ApiError } from '../errors/index.js';
import type { ServiceRequest } from '../http/request.js';
import { isUuid } from '../ids.js';
import type { LogFields } from '../log-record.js';
import { SECURITY_EVENTS, type SecurityEvent } from './security-event.js';

/** What the access guard knows about a request by the time it is refused. */
interface KnownRequest extends ServiceRequest {
  environmentId?: string;
  principal?: { kind: string; userId?: string; tokenId?: string | null };
}

const isSecurityEvent = (value: unknown): value is SecurityEvent =>
  typeof value === 'string' && Object.hasOwn(SECURITY_EVENTS, value);

/** The security event of an error; null for most errors. */
export function securityEventOf(error: unknown): SecurityEvent | null {
  if (error instanceof ApiError) return error.details.security ?? null;
  const named = error instanceof Error && 'security' in error ? error.security : null;
  return isSecurityEvent(named) ? named : null;
}

/** The log fields of a refused request: the caller, the error code, and only the ids in the path. */
export function refusedRequest(request: KnownRequest, code: string): LogFields {
  const { requestId, operationId, method, principal } = request;
  const { environmentId: named } = (request.params ?? {}) as Record<string, unknown>;
  const principalId = principal?.userId ?? principal?.tokenId ?? undefined;
  return {
    requestId,
    operationId,
    method,
    code,
    environmentId: request.environmentId ?? (isUuid(named) ? named.toLowerCase() : undefined),
    ...(principal && { principal: principal.kind, principalId }),
  };
}
