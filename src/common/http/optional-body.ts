import { createParamDecorator, type ExecutionContext, type PipeTransform, type Type } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { ServiceRequest } from './request.js';
import { validationPipe } from './validation.pipe.js';

const rawBody = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown => context.switchToHttp().getRequest<ServiceRequest>().body,
);

/** A body that the document does not require, and what it stands for if a client sends none. */
export const OptionalBody =
  <Body extends object>(type: Type<Body>, otherwise: Partial<Body> = {}): ParameterDecorator =>
  (target, key, index) => {
    rawBody(new OptionalBodyPipe(type, otherwise))(target, key, index);
    ApiBody({ required: false, type })(target, key!, Object.getOwnPropertyDescriptor(target, key!)!);
  };

class OptionalBodyPipe implements PipeTransform<unknown, Promise<unknown>> {
  private readonly validation = validationPipe();

  constructor(
    private readonly type: Type<object>,
    private readonly otherwise: object,
  ) {}

  transform(value: unknown): Promise<unknown> {
    const body = value === undefined ? this.otherwise : value;
    return this.validation.transform(body, { type: 'body', metatype: this.type });
  }
}
