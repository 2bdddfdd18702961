import { SOCIAL_VENDORS } from '../social/catalogue.js';
import type { ProviderType } from './provider-type.js';
import { SERVICE_TYPES } from './service-types.js';

/** Every type that a record may have. */
export const PROVIDER_TYPES: readonly ProviderType[] = [...SERVICE_TYPES, ...SOCIAL_VENDORS.map(({ type }) => type)];

const BY_NAME = new Map(PROVIDER_TYPES.map((type) => [type.name as string, type]));

export const findProviderType = (name: string): ProviderType | undefined => BY_NAME.get(name);

/** The type of a stored record. */
export function providerTypeOf(name: string): ProviderType {
  const type = findProviderType(name);
  if (!type) throw new Error(`There is no provider type ${name}.`);
  return type;
}
