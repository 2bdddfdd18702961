import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { duplicateExists, UnitOfWork, type Transaction } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import type { AddDeeplinkUrlRequest, DeeplinkUrl, DeeplinkUrlsResponse } from './deeplink-url.dto.js';
import type { DeeplinkUrlEntity } from './deeplink-url.entity.js';
import { invalidDeeplinkUrl, tooManyDeeplinkUrls } from './deeplink-url.errors.js';
import { DEEPLINK_URL_CREATED, DEEPLINK_URL_DELETED } from './deeplink-url.events.js';
import { DeeplinkUrlsRepository } from './deeplink-urls.repository.js';
import { parseDeeplink } from './parse-deeplink.js';

const MAX_PER_ENVIRONMENT = 100;

const shown = ({ id, url, createdAt }: DeeplinkUrlEntity): DeeplinkUrl => ({ id, url, createdAt });

/** The addresses of applications that sign-in may return to. */
@Injectable()
export class DeeplinkUrlsService {
  constructor(
    private readonly deeplinks: DeeplinkUrlsRepository,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async list(environmentId: EnvironmentId): Promise<DeeplinkUrlsResponse> {
    const rows = await this.deeplinks.list(environmentId, {}, { orderBy: 'id', limit: MAX_PER_ENVIRONMENT });
    return { deeplinkUrls: rows.map(shown) };
  }

  /** @throws invalidDeeplinkUrl, duplicateExists, tooManyDeeplinkUrls */
  async add(environmentId: EnvironmentId, request: AddDeeplinkUrlRequest, actor: Actor): Promise<DeeplinkUrl> {
    const { url, refusal } = parseDeeplink(request.url);
    if (url === undefined) throw invalidDeeplinkUrl({ hint: refusal });
    return this.work.run((tx) => this.insert(environmentId, url, actor, tx));
  }

  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run((tx) => this.remove(environmentId, id, actor, tx));
  }

  /** In a transaction of the caller, who has parsed the address. @throws duplicateExists, tooManyDeeplinkUrls */
  async insert(environmentId: EnvironmentId, url: string, actor: Actor, tx: Transaction): Promise<DeeplinkUrl> {
    const row = await this.deeplinks.insertWithin(MAX_PER_ENVIRONMENT, environmentId, { id: newId(), url }, tx);
    if (!row) throw (await this.deeplinks.find(environmentId, { url }, tx)) ? duplicateExists() : tooManyDeeplinkUrls();
    const after = shown(row);
    const change = { event: DEEPLINK_URL_CREATED, resource: { type: 'deeplinkUrl', id: row.id }, before: null, after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    return after;
  }

  /** In a transaction of the caller. @throws notFound */
  async remove(environmentId: EnvironmentId, id: string, actor: Actor, tx: Transaction): Promise<void> {
    const row = await this.deeplinks.lock(environmentId, { id }, tx);
    if (!row || (await this.deeplinks.delete(environmentId, { id }, tx)) === 0) throw notFound();
    const [before, data] = [shown(row), { id, url: row.url }];
    const change = { event: DEEPLINK_URL_DELETED, resource: { type: 'deeplinkUrl', id }, before, after: null, data };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
  }
}
