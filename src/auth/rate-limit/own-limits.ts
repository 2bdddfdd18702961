import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { placedHandlers, type PlacedHandler } from '../handler-paths.js';
import { RATE_RULES, rateLimitOf, type RateRule } from './rate-limit.js';

const ENVIRONMENT = /:environmentId\b/;

/**
 * Calls are counted under the name of their limit, so two limits of one name would use each other up; and for each
 * environment where the path names it, so that all tenants would share the window of a path that names none. An application
 * with such a limit does not start.
 */
@Injectable()
export class OwnLimits implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
  ) {}

  onModuleInit(): void {
    const known = new Map<string, RateRule>(Object.values(RATE_RULES).map((rule) => [rule.name, rule]));
    const [clashing, sharing]: [string[], string[]] = [[], []];
    for (const { name, handler, paths } of placedHandlers(this.discovery, this.scanner, this.modules)) {
      const rule = rateLimitOf(handler);
      if (!rule) continue;
      if (known.has(rule.name) && known.get(rule.name) !== rule) clashing.push(`${rule.name} of ${name}`);
      else known.set(rule.name, rule);
      if (isForAll(rule, paths)) sharing.push(name);
    }
    if (clashing.length > 0)
      throw new Error(
        `A limit has a name of its own, and handlers that share one name the same constant: ${clashing.join(', ')}.`,
      );
    if (sharing.length > 0)
      throw new Error(
        `A limit per environment counts by :environmentId, which these paths lack: ${sharing.join(', ')}.`,
      );
  }
}

const isForAll = ({ per }: RateRule, paths: PlacedHandler['paths']): boolean =>
  per !== 'address' && paths.some((path) => !ENVIRONMENT.test(path));
