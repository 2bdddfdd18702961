import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { tap, type Observable } from 'rxjs';

/** Sends the cookie of a sign-in, a refresh or a sign-out. */
@Injectable()
export class SessionCookies implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      tap((result: { setCookie?: string } | undefined) => {
        if (!result?.setCookie) return;
        context.switchToHttp().getResponse<Response>().append('Set-Cookie', result.setCookie);
      }),
    );
  }
}
