import { projectSettings } from './settings-schema.js';
import type { ProjectSettings, SignupFieldSettings } from './settings.types.js';

/** What the settings object tells but other records hold. */
export interface ClientSettingsSources {
  /** Absent for the console environment. */
  environmentName?: 'sandbox' | 'live';
  /** Enabled providers, with what their types publish. */
  providers: readonly object[];
  customFields?: readonly SignupFieldSettings[];
  exchanges?: readonly object[];
  networks?: readonly object[];
  /** Replaces `sdk.views` when views are kept apart from the settings. */
  views?: readonly object[];
}

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
    providers: providers.map((provider) => ({ ...provider })),
  });
}

/** The sections that are settings themselves, without those other records hold; what a save may store. */
export function ownSections(settings: ProjectSettings): ProjectSettings {
  const { chains, kyc, design, general, privacy, sdk, security } = settings;
  return { chains, kyc, design, general, privacy, sdk, security };
}
