import type { ConfigurationField } from '../settings/provider.dto.js';
import type { ProviderName } from './provider-names.js';

/** What an enabled provider does here; null for records that nothing in this service uses yet. */
export type ProviderService = 'social' | 'email' | 'sms' | 'ramp';

/**
 * What a provider type needs, declared once: it drives request validation, the API document, the missing fields
 * reported on enabling and by `doctor`, and what is published to applications.
 */
export interface ProviderType {
  name: ProviderName;
  serves: ProviderService | null;
  /** Required for enabling. */
  required: readonly ConfigurationField[];
  optional: readonly ConfigurationField[];
  /** At least one of these optional fields is required. */
  oneOf: readonly ConfigurationField[];
  secret: 'required' | 'optional' | 'none';
  /** Fields published to browsers when enabled, in addition to name and URLs. */
  publicFields: readonly ConfigurationField[];
  /** The destination of the secret: changing one of these requires the secret again. */
  destination: readonly ConfigurationField[];
  /** Validates the secret, where its format is known. */
  isSecret?(text: string): boolean;
  /** Describes the expected format, for the error message. */
  secretForm?: string;
  /** The vendor's documentation of its scopes. */
  scopesRefUrl?: string;
}

type Declaration = Pick<ProviderType, 'name' | 'serves'> & Partial<ProviderType>;

export function defineProviderType(declaration: Declaration): ProviderType {
  return { required: [], optional: [], oneOf: [], secret: 'none', publicFields: [], destination: [], ...declaration };
}

export const fieldsOfType = ({ required, optional }: ProviderType): readonly ConfigurationField[] => [
  ...required,
  ...optional,
];
