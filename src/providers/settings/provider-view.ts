import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { fieldsOfType } from '../types/provider-type.js';
import type { ProviderName } from '../types/provider-names.js';
import { providerTypeOf } from '../types/provider-types.js';
import type { ProviderPayload, ProviderRecord } from './provider.dto.js';
import type { ProviderRow } from './provider.entity.js';
import { ProviderUrls } from './provider-urls.js';

/** Fixed length, so as not to reveal that of the secret. */
const MASK = '••••••••';

/** Types that sign users in with codes; other email types only deliver mail. */
const CODES: ReadonlySet<string> = new Set<ProviderName>(['emailOnly', 'sms']);

/** Views of a record for members, events, the audit trail and applications. */
@Injectable()
export class ProviderView {
  constructor(private readonly urls: ProviderUrls) {}

  shown(environmentId: EnvironmentId, row: ProviderRow): ProviderRecord {
    return { ...this.described(environmentId, row), ...(row.sealedSecret && { clientSecret: MASK }) };
  }

  described(environmentId: EnvironmentId, row: ProviderRow): ProviderPayload {
    const { id, provider, enabledAt, configuration, agreement } = row;
    const fields = fieldsOfType(providerTypeOf(provider));
    return {
      id,
      provider,
      enabledAt,
      ...pick(configuration, fields),
      ...signUpOf(provider),
      ...this.urls.of(environmentId, provider, configuration),
      ...(agreement && { termsAcceptedByUser: { ...agreement, createdAt: new Date(agreement.createdAt) } }),
    };
  }

  /** For the audit record of a change: a new secret counts as a change, but is never shown. */
  recorded(environmentId: EnvironmentId, row: ProviderRow): object {
    return { ...this.described(environmentId, row), clientSecret: row.sealedSecret };
  }

  /** The public view of an enabled provider: the fields its type publishes. */
  published(environmentId: EnvironmentId, row: ProviderRow): object {
    const { id, provider, enabledAt, configuration } = row;
    const urls = this.urls.of(environmentId, provider, configuration);
    const fields = pick(configuration, providerTypeOf(provider).publicFields);
    return { id, provider, enabledAt, ...fields, ...signUpOf(provider), ...urls };
  }
}

/** Every sign-in method creates accounts for new users; types that sign nobody in omit the field. */
const signUpOf = (provider: string): { createNewAccounts?: true } =>
  CODES.has(provider) || providerTypeOf(provider).serves === 'social' ? { createNewAccounts: true } : {};

const pick = <T extends object>(source: T, names: readonly (keyof T & string)[]): Partial<T> =>
  Object.fromEntries(
    names.filter((name) => source[name] !== undefined).map((name) => [name, source[name]]),
  ) as Partial<T>;
