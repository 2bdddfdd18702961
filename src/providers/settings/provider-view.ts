import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { fieldsOfType } from '../types/provider-type.js';
import type { ProviderName } from '../types/provider-names.js';
import { providerTypeOf } from '../types/provider-types.js';
import type { ProviderPayload, ProviderRecord } from './provider.dto.js';
import type { ProviderRow } from './provider.entity.js';
import { ProviderUrls } from './provider-urls.js';

/** Of fixed length, so that it does not even tell that of the secret. */
const MASK = '••••••••';

/** Types that sign people in by codes; others of email only carry mails. */
const CODES: ReadonlySet<string> = new Set<ProviderName>(['emailOnly', 'sms']);

/** A record as members, events, the audit trail and applications see it. */
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

  /** For the record of a change, where another secret is seen as a change and never shown. */
  recorded(environmentId: EnvironmentId, row: ProviderRow): object {
    return { ...this.described(environmentId, row), clientSecret: row.sealedSecret };
  }

  /** What a browser may know of an enabled one: what its type publishes. */
  published(environmentId: EnvironmentId, row: ProviderRow): object {
    const { id, provider, enabledAt, configuration } = row;
    const urls = this.urls.of(environmentId, provider, configuration);
    const fields = pick(configuration, providerTypeOf(provider).publicFields);
    return { id, provider, enabledAt, ...fields, ...signUpOf(provider), ...urls };
  }
}

/** Whoever is new gets a user, whichever way in they take; a type that signs nobody in says nothing of it. */
const signUpOf = (provider: string): { createNewAccounts?: true } =>
  CODES.has(provider) || providerTypeOf(provider).serves === 'social' ? { createNewAccounts: true } : {};

const pick = <T extends object>(source: T, names: readonly (keyof T & string)[]): Partial<T> =>
  Object.fromEntries(
    names.filter((name) => source[name] !== undefined).map((name) => [name, source[name]]),
  ) as Partial<T>;
