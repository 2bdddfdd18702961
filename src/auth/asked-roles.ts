import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { accessOf, ownershipOf } from './access.js';
import { placedHandlers, type PlacedHandler } from './handler-paths.js';
import { roleReaches } from './roles.js';

/** The role that every member has. */
const LEAST = 'viewer';
const TENANT = /:(?:environmentId|organizationId)\b/;

/**
 * A role is held in an organization, so it can only be required if the path leads to one: otherwise everybody who has ever
 * signed in to the console would be admitted, whatever their role. An application with such a handler does not start.
 */
@Injectable()
export class AskedRoles implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
  ) {}

  onModuleInit(): void {
    const names = placedHandlers(this.discovery, this.scanner, this.modules)
      .filter(asksNobody)
      .map(({ name }) => name);
    if (names.length === 0) return;
    throw new Error(
      `A role beyond ${LEAST} is asked of members of the tenant that the path names, by :environmentId or :organizationId, or ` +
        `that @ScopedBy finds: ${names.join(', ')}. Their paths lead to none.`,
    );
  }
}

function asksNobody({ handler, paths }: PlacedHandler): boolean {
  const access = accessOf(handler);
  if (access?.audience !== 'dashboard' || roleReaches(LEAST, access.role) || ownershipOf(handler)) return false;
  return paths.some((path) => !TENANT.test(path));
}
