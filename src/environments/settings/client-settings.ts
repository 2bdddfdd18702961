import { projectSettings } from './settings-schema.js';
import type { ProjectSettings, SignupFieldSettings } from './settings.types.js';

/** What the settings object shows although other records hold it. */
export interface ClientSettingsSources {
  /** Absent for the console environment. */
  environmentName?: 'sandbox' | 'live';
  /** Provider records with all their columns; only enabled ones are published, and of these only what a browser may know. */
  providers: readonly object[];
  customFields?: readonly SignupFieldSettings[];
  exchanges?: readonly object[];
  networks?: readonly object[];
  /** Replaces `sdk.views` when views are kept apart from the settings. */
  views?: readonly object[];
}

/**
 * What a browser needs to begin a sign-in with a provider. Not on the list, and so not published: secrets, key and team ids,
 * account numbers, who accepted which terms, and addresses that carry the key of their account (bundlers, paymasters).
 */
const PUBLIC_PROVIDER_FIELDS = [
  'id',
  'provider',
  'enabledAt',
  'clientId',
  'providerProjectId',
  'authorizationUrl',
  'redirectUrl',
  'baseAuthUrl',
  'defaultChainId',
  'defaultChain',
  'keyExportUrl',
  'scopes',
  'commerceStore',
  'domain',
  'enabledCountries',
  'entryPointVersion',
  'kernelVersion',
  'factoryAddress',
  'paymasterAddress',
  'passkeyAddress',
  'sessionAddress',
  'multichainAccountAbstractionProviders',
  'ecdsaProviderType',
  'createNewAccounts',
  'enableKernelV3Migration',
  'enableEIP7702',
  'aaBundlerProvider',
  'aaKernelDelegationAddress',
  'returnUrl',
  'cancelUrl',
] as const;

/** The answer of `GET /sdk/{environmentId}/settings`, open to anyone: declared fields only, never a secret. */
export function toClientSettings(settings: ProjectSettings, sources: ClientSettingsSources): ProjectSettings {
  const { environmentName, providers, customFields, exchanges, networks, views } = sources;
  return projectSettings({
    ...ownSections(settings),
    sdk: views ? { ...settings.sdk, views: [...views] } : settings.sdk,
    ...(environmentName && { environmentName }),
    ...(customFields && { customFields: [...customFields] }),
    ...(exchanges && { exchanges: exchanges.map((exchange) => ({ ...exchange })) }),
    ...(networks && { networks: networks.map((network) => ({ ...network })) }),
    providers: providers
      .map((provider) => ({ ...provider }))
      .filter(isEnabled)
      .map(publicPart),
  });
}

/** The sections that are settings themselves, without those other records hold; what a save may store. */
export function ownSections(settings: ProjectSettings): ProjectSettings {
  const { chains, kyc, design, general, privacy, sdk, security } = settings;
  return { chains, kyc, design, general, privacy, sdk, security };
}

type ProviderFields = Record<string, unknown>;

function isEnabled(provider: ProviderFields): boolean {
  return provider.enabledAt !== null && provider.enabledAt !== undefined;
}

function publicPart(provider: ProviderFields): ProviderFields {
  const published = PUBLIC_PROVIDER_FIELDS.filter((name) => provider[name] !== undefined);
  return Object.fromEntries(published.map((name) => [name, provider[name]]));
}
