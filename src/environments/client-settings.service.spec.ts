import { describe, expect, it, jest } from '@jest/globals';
import type { EnvironmentId, EnvironmentKind, TenantDirectory } from '../auth/index.js';
import { resultCarrierOf } from '../common/http/result-carrier.js';
import { ClientSettingsSource, ClientSettingsSources, type ClientSettingsSections } from './client-settings-sources.js';
import { ClientSettingsService } from './client-settings.service.js';
import type { EnvironmentSettingsReader } from './environment-settings-reader.js';
import { ReturnsSettings } from './returns-settings.js';
import { defaultSettings } from './settings/default-settings.js';

const HERE = 'e' as EnvironmentId;

class Fixed extends ClientSettingsSource {
  constructor(private readonly sections: ClientSettingsSections) {
    super();
  }

  override async read(): Promise<ClientSettingsSections> {
    return this.sections;
  }
}

function settingsOf(kind: EnvironmentKind | null, ...sections: ClientSettingsSections[]) {
  const stored = defaultSettings('sandbox');
  stored.security.captcha = { enabled: true, siteKey: 'site', secretKey: 'canary-captcha' };
  const read = jest.fn(async () => stored);
  const sources = new ClientSettingsSources();
  for (const section of sections) sources.register(new Fixed(section));
  const tenants = { findEnvironment: async () => kind && { id: HERE, kind, organizationId: 'o' } };
  const service = new ClientSettingsService(
    { read } as Partial<EnvironmentSettingsReader> as EnvironmentSettingsReader,
    sources,
    tenants as Partial<TenantDirectory> as TenantDirectory,
  );
  return { service, read };
}

const provider = { id: 'p', provider: 'emailOnly', enabledAt: new Date(0), clientSecret: 'canary-provider' };

describe('the settings that clients read', () => {
  it('gather the sections of every context that has one', async () => {
    const { service } = settingsOf('sandbox', { providers: [provider] }, { networks: [] });
    const settings = await service.get(HERE);
    expect(settings.environmentName).toBe('sandbox');
    expect(settings.providers).toEqual([{ id: 'p', provider: 'emailOnly', enabledAt: '1970-01-01T00:00:00.000Z' }]);
    expect(settings.networks).toEqual([]);
  });

  it('have no providers until a context tells of some, and no name for the console', async () => {
    const settings = await settingsOf('console').service.get(HERE);
    expect(settings.providers).toEqual([]);
    expect(settings).not.toHaveProperty('environmentName');
  });

  it('say within those of the SDK what providers and exchanges are on, which members do not read there', async () => {
    const names = ['emailOnly', 'github', 'telegram', 'banxa'];
    const exchange = { id: 'x', exchange: 'kraken', enabledAt: new Date(0), socialProvider: 'kraken' };
    const { service } = settingsOf('sandbox', {
      providers: names.map((name) => ({ ...provider, provider: name })),
      exchanges: [exchange],
    });
    expect((await service.get(HERE)).sdk).toMatchObject({
      socialSignIn: {
        signInProvider: 'dynamic',
        providers: [
          { provider: 'github', enabled: true },
          { provider: 'telegram', enabled: true },
        ],
      },
      exchangeOptions: [{ exchange: 'kraken', socialProvider: 'kraken' }],
      featureFlags: { enableExchanges: true },
      onrampFunding: true,
      funding: { onramps: ['banxa'] },
    });
    const { sdk } = defaultSettings('sandbox');
    expect((await service.present(HERE, defaultSettings('sandbox'))).sdk).toEqual(sdk);
    expect((await settingsOf('sandbox').service.get(HERE)).sdk).toEqual(sdk);
  });

  it('never hold a secret', async () => {
    const { service } = settingsOf('live', { providers: [provider] });
    expect(JSON.stringify(await service.get(HERE))).not.toContain('canary');
  });

  it('are put together once for many readers', async () => {
    const { service, read } = settingsOf('live');
    await Promise.all(Array.from({ length: 20 }, () => service.get(HERE)));
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('of an environment that is gone are not found', async () => {
    await expect(settingsOf(null).service.get(HERE)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a handler that returns settings', () => {
  class Handlers {
    @ReturnsSettings()
    settings(): void {}
  }

  it('answers declared fields only, whatever it was given', () => {
    const stored = defaultSettings('sandbox');
    stored.security.captcha = { enabled: true, siteKey: 'site', secretKey: 'canary' };
    const given = { ...stored, internal: 'canary' };
    const result = resultCarrierOf(Handlers.prototype.settings).project(given);
    expect(JSON.stringify(result)).not.toContain('canary');
    expect(result).toMatchObject({ security: { captcha: { enabled: true, siteKey: 'site' } } });
  });
});
