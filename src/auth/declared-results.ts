import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { resultOf } from '../common/http/operation.js';
import { accessOf } from './access.js';

/**
 * What leaves an operation is what its result declares, so one without a declaration could answer nobody. An application
 * with such a handler does not start; a page is no operation and answers as it likes.
 */
@Injectable()
export class DeclaredResults implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const controllers = this.discovery.getControllers().flatMap(({ metatype }) => metatype ?? []);
    const names = controllers.flatMap((controller) => this.findUndeclared(controller));
    if (names.length === 0) return;
    throw new Error(
      `A handler that @Public, @EndUser or @Dashboard opens declares its result, with @Operation and @Returns: ` +
        `${names.join(', ')}. What is no operation is a @Page.`,
    );
  }

  private findUndeclared(controller: object & { name: string; prototype?: unknown }): string[] {
    const methods = controller.prototype as Record<string, object>;
    return this.scanner
      .getAllMethodNames(methods)
      .filter((name) => {
        const access = accessOf(methods[name]!);
        return access !== undefined && access.audience !== 'page' && !resultOf(methods[name]!);
      })
      .map((name) => `${controller.name}.${name}`);
  }
}
