import { usableMfaMethods } from './mfa-methods.js';
import { settingsComponents } from './settings-schema.js';
import type { MfaSettings, ProjectSettings } from './settings.types.js';

const namesIn = (component: string): ReadonlySet<unknown> => new Set(settingsComponents[component]?.enum);
const SOCIAL_PROVIDERS = namesIn('SocialSignInProviderEnum');
const ONRAMPS = namesIn('OnrampProviders');

/** Without a choice of methods all that are enabled are offered, while a client that reads an empty list offers none. */
const withMethods = (mfa: MfaSettings): MfaSettings =>
  mfa.enabled ? { ...mfa, availableMethods: usableMfaMethods(mfa) } : mfa;

/**
 * Clients also look in the settings of the SDK for what the records of providers and exchanges decide. Members, who send
 * settings back as they read them, do not get it there: it is changed with the operations of those records alone.
 */
export function withSwitchedOn(settings: ProjectSettings): ProjectSettings {
  const { providers = [], exchanges = [], sdk, security } = settings;
  const names = [...new Set(providers.map(({ provider }) => provider))];
  const onramps = names.filter((name) => ONRAMPS.has(name));
  return {
    ...settings,
    security: { ...security, ...(security.mfa && { mfa: withMethods(security.mfa) }) },
    sdk: {
      ...sdk,
      socialSignIn: {
        ...(sdk['socialSignIn'] as object | undefined),
        providers: names.filter((name) => SOCIAL_PROVIDERS.has(name)).map((provider) => ({ provider, enabled: true })),
      },
      exchangeOptions: exchanges.map(({ exchange, socialProvider, onRampProvider }) => ({
        exchange,
        ...(socialProvider !== undefined && { socialProvider }),
        ...(onRampProvider !== undefined && { onRampProvider }),
      })),
      featureFlags: {
        connectOnlyMultiAsset: false,
        ...(sdk['featureFlags'] as object | undefined),
        enableExchanges: exchanges.length > 0,
      },
      onrampFunding: onramps.length > 0,
      funding: { ...(sdk['funding'] as object | undefined), onramps },
    },
  };
}
