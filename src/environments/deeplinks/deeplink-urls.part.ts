import { Injectable } from '@nestjs/common';
import { EnvironmentParts } from '../promotion/environment-parts.js';
import { TextSetPart } from '../text-sets/text-set-part.js';
import type { DeeplinkUrlEntity } from './deeplink-url.entity.js';
import { DeeplinkUrlsRepository } from './deeplink-urls.repository.js';
import { DeeplinkUrlsService } from './deeplink-urls.service.js';
import { parseDeeplink } from './parse-deeplink.js';

/** The application URLs that sign-in may redirect to. Those that would be refused now are not promoted. */
@Injectable()
export class DeeplinkUrlsPart extends TextSetPart<DeeplinkUrlEntity> {
  override readonly name = 'deeplinkUrls';

  constructor(deeplinks: DeeplinkUrlsRepository, service: DeeplinkUrlsService, parts: EnvironmentParts) {
    super(deeplinks, service);
    parts.register(this);
  }

  protected override refusal(text: string): string | undefined {
    return parseDeeplink(text).refusal;
  }
}
