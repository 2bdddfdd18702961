import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import { SERVICE } from '../../organizations/index.js';
import { EnvironmentParts } from '../promotion/environment-parts.js';
import { TextSetPart } from '../promotion/text-set-part.js';
import { DeeplinkUrlsRepository } from './deeplink-urls.repository.js';
import { DeeplinkUrlsService } from './deeplink-urls.service.js';

/** The addresses of applications that sign-in may return to. */
@Injectable()
export class DeeplinkUrlsPart extends TextSetPart {
  override readonly name = 'deeplinkUrls';

  constructor(
    private readonly deeplinks: DeeplinkUrlsRepository,
    private readonly service: DeeplinkUrlsService,
    parts: EnvironmentParts,
  ) {
    super();
    parts.register(this);
  }

  protected override async rows(environmentId: EnvironmentId, tx: Transaction) {
    return (await this.deeplinks.lockAll(environmentId, tx)).map(({ id, url }) => ({ id, text: url }));
  }

  protected override insert(environmentId: EnvironmentId, text: string, tx: Transaction) {
    return this.service.insert(environmentId, text, SERVICE, tx);
  }

  protected override remove(environmentId: EnvironmentId, id: string, tx: Transaction) {
    return this.service.remove(environmentId, id, SERVICE, tx);
  }
}
