import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import type { ProviderName } from '../types/provider-names.js';
import type { ProviderConfiguration } from './provider.dto.js';
import type { ProviderRow } from './provider.entity.js';
import { ProviderSecrets } from './provider-secrets.js';
import { ProvidersRepository } from './providers.repository.js';

/** An enabled provider, for the adapter that calls its vendor. */
export interface EnabledProvider {
  id: string;
  provider: ProviderName;
  configuration: Partial<ProviderConfiguration>;
  /** The issuer of an organization's own provider, even where the deployment overrides the type's addresses. */
  issuer?: string;
  /** Provides the secret for the duration of `use`; empty if the provider has none. */
  withSecret<T>(use: (secret: string) => T | Promise<T>): Promise<T>;
}

/** The enabled providers of an environment. */
@Injectable()
export class EnabledProviders {
  constructor(
    private readonly providers: ProvidersRepository,
    private readonly secrets: ProviderSecrets,
  ) {}

  async find(environmentId: EnvironmentId, provider: string): Promise<EnabledProvider | null> {
    const [row] = await this.providers.listEnabled(environmentId, [provider]);
    return row ? this.usable(row) : null;
  }

  /** Enabled providers of the given types, in the order of the names; one statement. */
  async listNamed(environmentId: EnvironmentId, names: readonly ProviderName[]): Promise<EnabledProvider[]> {
    const rows = await this.providers.listEnabled(environmentId, names);
    return rows.sort((a, b) => names.indexOf(a.provider) - names.indexOf(b.provider)).map((row) => this.usable(row));
  }

  /** Providers of the given types that exist but have no enabled record. */
  async listDisabled(environmentId: EnvironmentId, names: readonly ProviderName[]): Promise<EnabledProvider[]> {
    const rows = (await this.providers.listAll(environmentId)).filter(({ provider }) => names.includes(provider));
    const isOn = (name: ProviderName) =>
      rows.some(({ provider, enabledAt }) => provider === name && enabledAt !== null);
    const off = names
      .filter((name) => !isOn(name))
      .flatMap((name) => rows.find(({ provider }) => provider === name) ?? []);
    return off.map((row) => this.usable(row));
  }

  private usable(row: ProviderRow): EnabledProvider {
    const { id, provider, configuration, sealedSecret } = row;
    return {
      id,
      provider,
      configuration,
      withSecret: async (use) => {
        if (!sealedSecret) return use('');
        const secret = await this.secrets.open(row, sealedSecret);
        try {
          return await use(secret.expose().toString('utf8'));
        } finally {
          secret.wipe();
        }
      },
    };
  }
}
