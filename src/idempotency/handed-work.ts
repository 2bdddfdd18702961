import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { accessOf } from '../auth/index.js';
import { operationOf } from '../common/http/operation.js';
import { takesWork } from './call-work.js';

/**
 * Refuses to start an application with unsafe keyed operations. A handler that does not use the call's work would act
 * outside the response's transaction, and twice on a retry. Only members and API tokens can send keys, so other
 * audiences must not be promised one. Responses are stored by operation id: two operations with the same id would
 * return each other's response and do nothing.
 */
@Injectable()
export class HandedWork implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    this.refuse(
      'An operation with `idempotent: true` is one of members and API tokens, with @Dashboard',
      (handler) => accessOf(handler)?.audience !== 'dashboard',
    );
    this.refuse(
      'An operation with `idempotent: true` takes `@CallWork() work: Work`',
      (_handler, controller, name) => !takesWork(controller, name),
    );
    const seen = new Map<string, object>();
    this.refuse('An operation with `idempotent: true` has an id that no other one has', (handler) => {
      const { id } = operationOf(handler)!;
      const known = seen.get(id) ?? handler;
      seen.set(id, known);
      return known !== handler;
    });
  }

  /** @throws Error with the names of the idempotent handlers that break the rule */
  private refuse(rule: string, isBroken: (handler: object, controller: object, name: string) => boolean): void {
    const controllers = this.discovery.getControllers().flatMap(({ metatype }) => metatype ?? []);
    const names = controllers.flatMap((controller) => this.find(controller, isBroken));
    if (names.length > 0) throw new Error(`${rule}: ${names.join(', ')}.`);
  }

  private find(
    controller: object & { name: string; prototype?: unknown },
    isBroken: (handler: object, controller: object, name: string) => boolean,
  ): string[] {
    const methods = controller.prototype as Record<string, object>;
    return this.scanner
      .getAllMethodNames(methods)
      .filter((name) => operationOf(methods[name]!)?.idempotent && isBroken(methods[name]!, controller, name))
      .map((name) => `${controller.name}.${name}`);
  }
}
