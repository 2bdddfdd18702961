import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { tap, type Observable } from 'rxjs';

/** Reports the handler's duration (W3C Server Timing). Sees the result before it is projected. */
@Injectable()
export class ServerTiming implements NestInterceptor {
  intercept(context: ExecutionContext, handler: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    const from = performance.now();
    const write = (): void => {
      if (!response.headersSent)
        response.setHeader('Server-Timing', `handler;dur=${(performance.now() - from).toFixed(1)}`);
    };
    return handler.handle().pipe(tap(write));
  }
}
