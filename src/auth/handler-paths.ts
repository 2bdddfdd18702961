import { MODULE_PATH, PATH_METADATA } from '@nestjs/common/constants.js';
import type { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';

/** A part of a path that may be absent, as Express writes it. */
const OPTIONAL = /\{[^}]*\}/g;

/** A method of a controller, with the paths that lead to it whatever a caller leaves out. */
export interface PlacedHandler {
  /** As whoever wrote it knows it: its class and its name. */
  readonly name: string;
  readonly handler: object;
  readonly paths: readonly string[];
}

/** Every method of every controller of the application. */
export function placedHandlers(
  discovery: DiscoveryService,
  scanner: MetadataScanner,
  modules: ModulesContainer,
): PlacedHandler[] {
  return discovery.getControllers().flatMap(({ metatype, host }) => {
    if (!metatype) return [];
    const controller = metatype as object & { name: string; prototype?: unknown };
    const methods = controller.prototype as Record<string, object>;
    const prefix = prefixOf(host?.metatype, modules);
    return scanner.getAllMethodNames(methods).map((name) => {
      const handler = methods[name]!;
      const paths = pathsOf(controller).flatMap((base) =>
        pathsOf(handler).map((rest) => `${prefix}/${base}/${rest}`.replace(OPTIONAL, '')),
      );
      return { name: `${controller.name}.${name}`, handler, paths };
    });
  });
}

/** What `RouterModule` puts before the paths of a module. */
function prefixOf(module: object | undefined, modules: ModulesContainer): string {
  if (!module) return '';
  const own = MODULE_PATH + modules.applicationId;
  return (Reflect.getMetadata(own, module) as string | undefined) ?? '';
}

const pathsOf = (target: object): string[] =>
  [(Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined) ?? ''].flat();
