import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { AuthorizedRequest } from '../auth/index.js';
import type { Work } from '../database/index.js';

/** A request as the guard of keys leaves it. */
export interface WorkingRequest extends AuthorizedRequest {
  /** For operations with `idempotent: true`, whether the call has a key or not. */
  work?: Work;
  /** Of a call with a key: sees whether it was answered before, and makes its work. */
  admit?: () => Promise<void>;
  admitted?: Promise<void> | undefined;
}

/**
 * Lets a call with a key in when all guards have, those of an extension and of one handler among them: whoever may not call
 * learns of no answer.
 */
@Injectable()
export class CallAdmission implements NestInterceptor {
  async intercept(context: ExecutionContext, handler: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<WorkingRequest>();
    // An interceptor around this one may try again: it is the same call, and an answer from before stays the answer.
    request.admitted ??= request.admit?.();
    await request.admitted;
    return handler.handle();
  }
}
