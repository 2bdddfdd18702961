import { createParamDecorator, ValidationPipe, type ExecutionContext, type Type } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { invalidFields } from '../../../common/http/validation.pipe.js';
import { asPage, type PageSources } from '../../../pages/index.js';

/** The response to a browser navigation: a redirect, or a page. */
export type BrowserAnswer = ({ location: string } | { page: string; sources?: PageSources }) & { setCookie?: string };

/** Not cached, and the URL with its code is not sent as a referrer (RFC 9700 section 4.2.4). */
export function sendTo(response: Response, answer: BrowserAnswer): void {
  if (answer.setCookie) response.append('Set-Cookie', answer.setCookie);
  if ('location' in answer) {
    response.status(302).setHeader('Location', answer.location);
    response.end();
    return;
  }
  response.status(200).send(asPage(response, answer.page, answer.sources));
}

const requestOf = (context: ExecutionContext): Request => context.switchToHttp().getRequest();

/** The raw `Cookie` header. */
export const Cookies = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).headers.cookie,
);

/** The raw query string. */
export const QueryText = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { originalUrl } = requestOf(context);
  const at = originalUrl.indexOf('?');
  return at < 0 ? '' : originalUrl.slice(at + 1);
});

const query = createParamDecorator((_: unknown, context: ExecutionContext): unknown => ({
  ...requestOf(context).query,
}));

/** The declared query parameters; undeclared ones are allowed. */
export const OpenQuery =
  (type: Type): ParameterDecorator =>
  (target, key, index) => {
    const pipe = new ValidationPipe({
      whitelist: true,
      transform: true,
      validateCustomDecorators: true,
      expectedType: type,
      transformOptions: { exposeUnsetFields: false },
      validationError: { target: false, value: false },
      exceptionFactory: (errors) =>
        invalidFields(
          errors.flatMap(({ property, constraints = {} }) =>
            Object.values(constraints).map((message) => ({ field: property, message })),
          ),
        ),
    });
    query(pipe)(target, key, index);
    ApiQuery({ type })(target, key!, Object.getOwnPropertyDescriptor(target, key!)!);
  };
