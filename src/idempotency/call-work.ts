import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { AuthorizedRequest } from '../auth/index.js';
import type { Work } from '../database/index.js';

/** A request as the guard of keys leaves it. */
export interface WorkingRequest extends AuthorizedRequest {
  /** For operations with `idempotent: true`, whether the call has a key or not. */
  work?: Work;
}

function workOf(_: unknown, context: ExecutionContext): Work {
  const { work } = context.switchToHttp().getRequest<WorkingRequest>();
  if (!work) throw new Error('Only operations with `idempotent: true` are handed the work of a call.');
  return work;
}

/**
 * What the call does, it does in units of this `Work`: with an `Idempotency-Key` they are one transaction with the answer,
 * without one each is a transaction of its own.
 */
export const CallWork = createParamDecorator(workOf);

/** Whether a handler is handed the work of its call. */
export function takesWork(controller: object, handler: string): boolean {
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) as object | undefined;
  return Object.values(parameters ?? {}).some(({ factory }: { factory?: unknown }) => factory === workOf);
}
