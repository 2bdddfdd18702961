import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { UnitOfWork, type Work } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { TextSetService, type TextSetTerms } from '../text-sets/text-set.service.js';
import type { AddDeeplinkUrlRequest, DeeplinkUrl, DeeplinkUrlsResponse } from './deeplink-url.dto.js';
import type { DeeplinkUrlEntity } from './deeplink-url.entity.js';
import { invalidDeeplinkUrl, tooManyDeeplinkUrls } from './deeplink-url.errors.js';
import { DEEPLINK_URL_CREATED, DEEPLINK_URL_DELETED } from './deeplink-url.events.js';
import { DeeplinkUrlsRepository } from './deeplink-urls.repository.js';
import { parseDeeplink } from './parse-deeplink.js';

/** The application URLs that sign-in may redirect to. */
@Injectable()
export class DeeplinkUrlsService extends TextSetService<DeeplinkUrlEntity, DeeplinkUrl> {
  protected override readonly terms: TextSetTerms<DeeplinkUrlEntity, DeeplinkUrl> = {
    most: 100,
    tooMany: tooManyDeeplinkUrls,
    resource: 'deeplinkUrl',
    field: 'url',
    created: DEEPLINK_URL_CREATED,
    deleted: DEEPLINK_URL_DELETED,
    shown: ({ id, url, createdAt }) => ({ id, url, createdAt }),
  };

  constructor(deeplinks: DeeplinkUrlsRepository, work: UnitOfWork, changes: ChangeLog) {
    super(deeplinks, work, changes);
  }

  async list(environmentId: EnvironmentId): Promise<DeeplinkUrlsResponse> {
    return { deeplinkUrls: await this.all(environmentId) };
  }

  /** @throws invalidDeeplinkUrl, duplicateExists, tooManyDeeplinkUrls */
  async add(
    environmentId: EnvironmentId,
    request: AddDeeplinkUrlRequest,
    actor: Actor,
    work: Work,
  ): Promise<DeeplinkUrl> {
    const { url, refusal } = parseDeeplink(request.url);
    if (url === undefined) throw invalidDeeplinkUrl({ hint: refusal });
    return work.run((tx) => this.insert(environmentId, url, actor, tx));
  }
}
