import { Logger } from '@nestjs/common';
import type { AuthorizedRequest, Principal } from '../auth/index.js';
import { LogRecord } from '../common/log-record.js';
import { CLIENT_LEFT, type RequestObserver } from '../common/http/request-observer.js';
import type { ServiceRequest } from '../common/http/request.js';

/** Milliseconds from which a request counts as slow. */
const SLOW_MS = 1_000;

/** Logs failed or slow requests, or all. Lines name the operation, never the URL, address or User-Agent. */
export class RequestLog implements RequestObserver {
  private readonly log = new Logger('Requests');

  constructor(private readonly all: boolean) {}

  answered(request: ServiceRequest, status: number, durationMs: number): void {
    // The operation is unknown while the body arrives: whoever leaves then has waited for nothing.
    const isUnsent = status === CLIENT_LEFT && request.operationId === undefined;
    const isWorse = status >= 500 || (durationMs > SLOW_MS && !isUnsent);
    if (!isWorse && !this.all) return;
    const { requestId, operationId, method, environmentId, principal } = request as Partial<AuthorizedRequest>;
    const { path: route } = (request.route ?? {}) as { path?: unknown };
    const record = new LogRecord(status >= 500 ? 'failed' : durationMs > SLOW_MS ? 'slow' : 'answered', {
      requestId,
      operationId,
      method,
      ...(typeof route === 'string' && { route }),
      status,
      durationMs: Math.round(durationMs),
      environmentId,
      ...(principal && { principal: principal.kind, principalId: idOf(principal) }),
    });
    if (isWorse) this.log.warn(record);
    else this.log.log(record);
  }
}

/** An id that is meaningless without the database. */
function idOf(principal: Principal): string | undefined {
  if (principal.kind === 'anonymous') return undefined;
  return principal.kind === 'environmentToken' ? principal.tokenId : principal.userId;
}
