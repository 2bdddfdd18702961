import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, getSchemaPath } from '@nestjs/swagger';
import type { ServiceRequest } from '../common/http/request.js';

const rawBody = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown => context.switchToHttp().getRequest<ServiceRequest>().body ?? {},
);

/** Settings to lay over what is stored. The service checks them together with what they are laid over. */
export const SettingsBody = (): ParameterDecorator => (target, key, index) => {
  rawBody()(target, key, index);
  const descriptor = Object.getOwnPropertyDescriptor(target, key!)!;
  ApiBody({ required: false, schema: { $ref: getSchemaPath('ProjectSettings') } })(target, key!, descriptor);
};
