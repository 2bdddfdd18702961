import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { projectionOf } from '../fields/index.js';
import { operationOf, resultOf } from './operation.js';

type Carry = (value: unknown) => unknown;

/** Carries each result through the projection of its declared class, so that nothing undeclared leaves. */
@Injectable()
export class ProjectionInterceptor implements NestInterceptor {
  private readonly carriers = new WeakMap<object, Carry>();

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const handler = context.getHandler();
    let carry = this.carriers.get(handler);
    if (!carry) this.carriers.set(handler, (carry = carrierOf(handler)));
    return next.handle().pipe(map(carry));
  }
}

function carrierOf(handler: object): Carry {
  const result = resultOf(handler);
  // Pages write their own answers; an operation without a declared result must not even run.
  if (!result && operationOf(handler)) throw new Error('This operation declares no result.');
  if (!result) return (value) => value;
  if (result.project) return result.project;
  if (!result.type) return () => undefined;
  const project = projectionOf(result.type);
  return result.list ? (value) => (value as unknown[]).map(project) : project;
}
