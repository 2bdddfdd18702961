import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { AuthorizedRequest } from '../auth/index.js';
import type { Work } from '../database/index.js';

/** A request as prepared by the idempotency guard. */
export interface WorkingRequest extends AuthorizedRequest {
  /** Set for operations with `idempotent: true`, whether or not the call has a key. */
  work?: Work;
  /** Set for keyed calls: checks for an earlier response, and creates the call's work. */
  admit?: () => Promise<void>;
  admitted?: Promise<void> | undefined;
}

/**
 * Admits keyed calls after all guards have passed, including those of extensions and handlers: callers without access
 * must not see an earlier response.
 */
@Injectable()
export class CallAdmission implements NestInterceptor {
  async intercept(context: ExecutionContext, handler: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<WorkingRequest>();
    // An outer interceptor may retry: it is the same call, and an earlier response stays the response.
    request.admitted ??= request.admit?.();
    await request.admitted;
    return handler.handle();
  }
}
