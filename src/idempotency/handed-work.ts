import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { accessOf } from '../auth/index.js';
import { operationOf } from '../common/http/operation.js';
import { takesWork } from './call-work.js';

/**
 * Whoever takes a key and not the work of the call would do what it does beside the answer, and twice when it is
 * repeated. Keys are those of members and API tokens: to others a key would be promised that no call of theirs can have. And
 * answers are kept by the id of the operation: with the id of another one it would be given that one's, and do nothing. An
 * application with such a handler does not start.
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

  /** @throws Error with the names of the handlers with a key that break the rule */
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
