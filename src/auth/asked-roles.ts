import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MODULE_PATH, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { accessOf, ownershipOf } from './access.js';
import { roleReaches } from './roles.js';

type Controller = object & { name: string; prototype?: unknown };

/** The role that every member has. */
const LEAST = 'viewer';
const TENANT = /:(?:environmentId|organizationId)\b/;
/** A part of a path that may be absent, as Express writes it. */
const OPTIONAL = /\{[^}]*\}/g;

/**
 * A role is one in an organization, so it can only be asked for where the path leads to one: without that everybody who has
 * ever signed in to the console would be admitted, whatever the role. An application with such a handler does not start.
 */
@Injectable()
export class AskedRoles implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
  ) {}

  onModuleInit(): void {
    const names = this.discovery
      .getControllers()
      .flatMap(({ metatype, host }) => (metatype ? this.find(metatype, this.pathOf(host?.metatype)) : []));
    if (names.length === 0) return;
    throw new Error(
      `A role beyond ${LEAST} is asked of members of the tenant that the path names, by :environmentId or :organizationId, or ` +
        `that @ScopedBy finds: ${names.join(', ')}. Their paths lead to none.`,
    );
  }

  /** What `RouterModule` puts before the paths of a module. */
  private pathOf(module: object | undefined): string {
    if (!module) return '';
    const own = MODULE_PATH + this.modules.applicationId;
    return (Reflect.getMetadata(own, module) as string | undefined) ?? '';
  }

  private find(controller: Controller, prefix: string): string[] {
    const methods = controller.prototype as Record<string, object>;
    return this.scanner
      .getAllMethodNames(methods)
      .filter((name) => asksNobody(controller, methods[name]!, prefix))
      .map((name) => `${controller.name}.${name}`);
  }
}

function asksNobody(controller: object, handler: object, prefix: string): boolean {
  const access = accessOf(handler);
  if (access?.audience !== 'dashboard' || roleReaches(LEAST, access.role) || ownershipOf(handler)) return false;
  return pathsOf(controller).some((base) =>
    pathsOf(handler).some((rest) => !TENANT.test(`${prefix}/${base}/${rest}`.replace(OPTIONAL, ''))),
  );
}

const pathsOf = (target: object): string[] =>
  [(Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined) ?? ''].flat();
