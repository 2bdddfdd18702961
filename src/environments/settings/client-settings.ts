import { projectSettings } from './settings-schema.js';
import type { ProjectSettings, SignupFieldSettings } from './settings.types.js';

/** Parts of the settings object that are stored in other records. */
export interface ClientSettingsSources {
  /** Absent for the console environment. */
  environmentName?: 'sandbox' | 'live';
  /** Enabled providers, with the fields their types publish. */
  providers: readonly object[];
  customFields?: readonly SignupFieldSettings[];
  exchanges?: readonly object[];
  networks?: readonly object[];
  /** Replaces `sdk.views` when views are stored separately. */
  views?: readonly object[];
  /** The domain under which users are given names on EVM, as `sdk.nameService.evm.domain`. */
  nameDomain?: string;
}

/** The response of `GET /sdk/{environmentId}/settings`, which is public: declared fields only, never a secret. */
export function toClientSettings(settings: ProjectSettings, sources: ClientSettingsSources): ProjectSettings {
  const { environmentName, providers, customFields, exchanges, networks, views, nameDomain } = sources;
  return projectSettings({
    ...ownSections(settings),
    sdk: {
      ...settings.sdk,
      ...(views && { views: [...views] }),
      ...(nameDomain && { nameService: { evm: { domain: nameDomain } } }),
    },
    ...(environmentName && { environmentName }),
    ...(customFields && { customFields: [...customFields] }),
    ...(exchanges && { exchanges: exchanges.map((exchange) => ({ ...exchange })) }),
    ...(networks && { networks: networks.map((network) => ({ ...network })) }),
    providers: providers.map((provider) => ({ ...provider })),
  });
}

/** The sections stored in the settings document itself, without those of other records. */
export function ownSections(settings: ProjectSettings): ProjectSettings {
  const { chains, kyc, design, general, privacy, sdk, security } = settings;
  return { chains, kyc, design, general, privacy, sdk, security };
}
