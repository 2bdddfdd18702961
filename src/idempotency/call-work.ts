import { createParamDecorator, UseInterceptors, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { CallAdmission, type WorkingRequest } from './call-admission.js';

function workOf(_: unknown, context: ExecutionContext) {
  const { work } = context.switchToHttp().getRequest<WorkingRequest>();
  if (!work) throw new Error('Only operations with `idempotent: true` are handed the work of a call.');
  return work;
}

const WorkOfCall = createParamDecorator(workOf);

/**
 * The `Work` in whose units the call does everything: with an `Idempotency-Key` they share one transaction with the
 * stored response, without a key each is a transaction of its own.
 */
export const CallWork = (): ParameterDecorator => (controller, handler, index) => {
  UseInterceptors(CallAdmission)(controller, handler!, Object.getOwnPropertyDescriptor(controller, handler!)!);
  WorkOfCall()(controller, handler, index);
};

/** Whether a handler takes the work of its call. */
export function takesWork(controller: object, handler: string): boolean {
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) as object | undefined;
  return Object.values(parameters ?? {}).some(({ factory }: { factory?: unknown }) => factory === workOf);
}
