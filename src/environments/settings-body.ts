import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, getSchemaPath } from '@nestjs/swagger';
import type { ServiceRequest } from '../common/http/request.js';

const rawBody = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown => context.switchToHttp().getRequest<ServiceRequest>().body ?? {},
);

/** A partial settings object to merge into the stored one. The service validates the merged result. */
export const SettingsBody = (): ParameterDecorator => (target, key, index) => {
  rawBody()(target, key, index);
  const descriptor = Object.getOwnPropertyDescriptor(target, key!)!;
  ApiBody({ required: false, schema: { $ref: getSchemaPath('ProjectSettings') } })(target, key!, descriptor);
};
