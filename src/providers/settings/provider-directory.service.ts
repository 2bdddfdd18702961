import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import type { EnvironmentId, Work } from '../../database/index.js';
import type { Actor } from '../../organizations/index.js';
import { SOCIAL_VENDORS } from '../social/catalogue.js';
import { findProviderType } from '../types/provider-types.js';
import type { ProviderRecord, ProviderUpdateRequest, ProviderUrl, ProviderUrlsResponse } from './provider.dto.js';
import { ProviderUrls } from './provider-urls.js';
import { ProvidersService } from './providers.service.js';

/** The provider types available to an environment. */
@Injectable()
export class ProviderDirectory {
  constructor(
    private readonly urls: ProviderUrls,
    private readonly providers: ProvidersService,
  ) {}

  /** URLs of redirect-based providers, where they are known without a record. */
  listUrls(environmentId: EnvironmentId): ProviderUrlsResponse {
    const providerUrls = SOCIAL_VENDORS.flatMap((vendor): ProviderUrl[] => {
      const { name: provider, scopesRefUrl } = vendor.type;
      const { authorizationUrl, redirectUrl } = this.urls.of(environmentId, provider);
      if (redirectUrl === undefined) return [];
      const scopes = 'scopes' in vendor ? vendor.scopes : undefined;
      return [
        {
          provider,
          authorizationUrl: authorizationUrl ?? '',
          redirectUrl,
          ...(scopes && { scopes }),
          ...(scopesRefUrl && { scopesRefUrl }),
        },
      ];
    });
    return { providerUrls };
  }

  /** @throws notFound for an unknown type, and as `ProvidersService.create` */
  createOfType(
    environmentId: EnvironmentId,
    name: string,
    request: ProviderUpdateRequest,
    actor: Actor,
    work: Work,
  ): Promise<ProviderRecord> {
    const type = findProviderType(name);
    if (!type) throw notFound();
    return this.providers.create(environmentId, type.name, request, actor, work);
  }
}
