import { Logger } from '@nestjs/common';
import { SOCIAL_VENDORS } from '../social/catalogue.js';
import type { ProviderType } from './provider-type.js';
import { SERVICE_TYPES } from './service-types.js';

/** All provider types. */
export const PROVIDER_TYPES: readonly ProviderType[] = [...SERVICE_TYPES, ...SOCIAL_VENDORS.map(({ type }) => type)];

const log = new Logger('Providers');
const BY_NAME = new Map(PROVIDER_TYPES.map((type) => [type.name as string, type]));

export const findProviderType = (name: string): ProviderType | undefined => BY_NAME.get(name);

const unknown = new Set<string>();

/**
 * Whether this release knows the type of a stored record. Another release, older or running alongside, may have written
 * it; such a record is ignored and left unchanged.
 */
export function hasKnownType({ provider }: { provider: string }): boolean {
  if (BY_NAME.has(provider)) return true;
  if (!unknown.has(provider)) {
    unknown.add(provider);
    log.warn(`Records of provider type ${provider} are ignored: this release does not know it.`);
  }
  return false;
}

/** The type of a record with a known type. */
export function providerTypeOf(name: string): ProviderType {
  const type = findProviderType(name);
  if (!type) throw new Error(`There is no provider type ${name}.`);
  return type;
}
