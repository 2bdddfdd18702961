import { Injectable } from '@nestjs/common';
import { notFound } from '../common/errors/index.js';
import { UnitOfWork, type EnvironmentId, type Work } from '../database/index.js';
import type { Actor } from '../organizations/index.js';
import { shownWebhook } from './shown-webhook.js';
import type { WebhookSecret } from './webhook-secret.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookWriter } from './webhook-writer.js';
import type { Webhook, WebhookCreateRequest, WebhookUpdateRequest } from './webhook.dto.js';
import { WebhooksRepository, type WebhookRow } from './webhooks.repository.js';

/** The webhooks of an environment. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly writer: WebhookWriter,
    private readonly secrets: WebhookSecrets,
    private readonly work: UnitOfWork,
  ) {}

  async list(environmentId: EnvironmentId): Promise<{ data: Webhook[] }> {
    return { data: (await this.webhooks.listAll(environmentId)).map(shownWebhook) };
  }

  /** The result holds the secret. */
  async create(
    environmentId: EnvironmentId,
    request: WebhookCreateRequest,
    actor: Actor,
    work: Work,
  ): Promise<Webhook> {
    const terms = this.writer.check(request);
    const prepared = await this.writer.prepareNew(environmentId, terms);
    const row = await work.run((tx) => this.writer.create(environmentId, prepared, actor, tx));
    return { ...shownWebhook(row), secret: prepared.secret.reveal() };
  }

  async get(environmentId: EnvironmentId, id: string): Promise<Webhook> {
    return shownWebhook(await this.read(environmentId, id));
  }

  async update(
    environmentId: EnvironmentId,
    id: string,
    request: WebhookUpdateRequest,
    actor: Actor,
  ): Promise<Webhook> {
    const prepared = await this.writer.prepare(environmentId, id, this.writer.check(request));
    return shownWebhook(await this.work.run((tx) => this.writer.update(environmentId, id, prepared, actor, tx)));
  }

  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run((tx) => this.writer.delete(environmentId, id, actor, tx));
  }

  /** For the operator's programs, which have access to the database and the master key. */
  async secretOf(environmentId: EnvironmentId, id: string): Promise<WebhookSecret> {
    const row = await this.read(environmentId, id);
    return this.secrets.open(row.sealedSecret, row);
  }

  private async read(environmentId: EnvironmentId, id: string): Promise<WebhookRow> {
    const row = await this.webhooks.findOne(environmentId, id);
    if (!row) throw notFound();
    return row;
  }
}
