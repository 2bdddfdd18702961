import {
  createParamDecorator,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { tap, type Observable } from 'rxjs';
import type { ServiceRequest } from '../common/http/request.js';
import { invalidFields } from '../common/http/validation.pipe.js';

/** A strong entity tag (RFC 9110 §8.8.3), which includes the quotes; weak tags never match in `If-Match`. */
const TAG = /^"([1-9]\d{0,8})"$/;

/** The version in `If-Match` (§13.1.1); null when it is absent or `*`. @throws ApiError 400 */
export function parseIfMatch(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null;
  const version = TAG.exec(header.trim())?.[1];
  if (version === undefined) {
    throw invalidFields([{ field: 'If-Match', message: 'must be the ETag of an answer, such as "7"' }]);
  }
  return Number(version);
}

/** The settings version that the sender had read. */
export const ReadVersion = createParamDecorator((_: unknown, context: ExecutionContext): number | null =>
  parseIfMatch(context.switchToHttp().getRequest<ServiceRequest>().headers['if-match']),
);

/** Sends the version of the returned settings. */
@Injectable()
export class SettingsVersionHeader implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      tap(({ version }: { version: number }) => {
        context.switchToHttp().getResponse<Response>().setHeader('ETag', `"${version}"`);
      }),
    );
  }
}
