import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SSE_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { resultOf } from '../common/http/operation.js';
import { accessOf } from './access.js';

/**
 * An operation sends only what its result declares, so one without a declaration could not respond, and one with server-sent
 * events would bypass the projection. An application with such a handler does not start. Pages are not operations and may
 * send anything.
 */
@Injectable()
export class DeclaredResults implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    this.refuse(
      'A handler that @Public, @EndUser or @Dashboard opens declares its result, with @Operation and @Returns',
      (handler) => !resultOf(handler),
    );
    this.refuse(
      'A handler that @Public, @EndUser or @Dashboard opens has one result, and no events of @Sse',
      (handler) => Reflect.hasMetadata(SSE_METADATA, handler),
    );
  }

  /** @throws Error with the names of the operation handlers that break the rule */
  private refuse(rule: string, isBroken: (handler: object) => boolean): void {
    const controllers = this.discovery.getControllers().flatMap(({ metatype }) => metatype ?? []);
    const names = controllers.flatMap((controller) => this.find(controller, isBroken));
    if (names.length === 0) return;
    throw new Error(`${rule}: ${names.join(', ')}. What is no operation is a @Page.`);
  }

  private find(
    controller: object & { name: string; prototype?: unknown },
    isBroken: (handler: object) => boolean,
  ): string[] {
    const methods = controller.prototype as Record<string, object>;
    return this.scanner
      .getAllMethodNames(methods)
      .filter((name) => {
        const access = accessOf(methods[name]!);
        return access !== undefined && access.audience !== 'page' && isBroken(methods[name]!);
      })
      .map((name) => `${controller.name}.${name}`);
  }
}
