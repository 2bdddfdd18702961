import type { ConfigurationField } from '../settings/provider.dto.js';
import type { ProviderName } from './provider-names.js';

/** What a provider can do here once it is enabled; null for records that nothing in this service calls yet. */
export type ProviderService = 'social' | 'email' | 'sms' | 'ramp';

/**
 * What a type of provider needs, declared once: requests are checked against it, the document lists it, enabling and
 * `doctor` name what is missing of it, and applications are shown what it publishes.
 */
export interface ProviderType {
  name: ProviderName;
  serves: ProviderService | null;
  /** Without these it cannot be enabled. */
  required: readonly ConfigurationField[];
  optional: readonly ConfigurationField[];
  /** Of these optional fields one must be there. */
  oneOf: readonly ConfigurationField[];
  secret: 'required' | 'optional' | 'none';
  /** What a browser may know of an enabled one, beside its name and addresses. */
  publicFields: readonly ConfigurationField[];
  /** Where the secret goes: with another value of one of these, it is asked for again. */
  destination: readonly ConfigurationField[];
  /** Whether a text can be the secret at all, where its form is known. */
  isSecret?(text: string): boolean;
  /** What it must be, for whoever sent something else. */
  secretForm?: string;
  /** Where the vendor documents its scopes. */
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
