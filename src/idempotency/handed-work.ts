import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { operationOf } from '../common/http/operation.js';
import { takesWork } from './call-work.js';

/**
 * Whoever takes a key and not the work of the call would do what it does beside the answer, and twice when it is
 * repeated. An application with such a handler does not start.
 */
@Injectable()
export class HandedWork implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const controllers = this.discovery.getControllers().flatMap(({ metatype }) => metatype ?? []);
    const names = controllers.flatMap((controller) => this.findForgetful(controller));
    if (names.length === 0) return;
    throw new Error(`An operation with \`idempotent: true\` takes \`@CallWork() work: Work\`: ${names.join(', ')}.`);
  }

  /** Handlers that take a key and not the work of the call. */
  private findForgetful(controller: object & { name: string; prototype?: unknown }): string[] {
    const methods = controller.prototype as Record<string, object>;
    return this.scanner
      .getAllMethodNames(methods)
      .filter((name) => operationOf(methods[name]!)?.idempotent && !takesWork(controller, name))
      .map((name) => `${controller.name}.${name}`);
  }
}
