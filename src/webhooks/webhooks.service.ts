import { Injectable } from '@nestjs/common';
import { roleReaches, type DashboardPrincipal } from '../auth/index.js';
import { forbidden, notFound } from '../common/errors/index.js';
import { SecurityEvent, SecurityLog } from '../common/security/index.js';
import { UnitOfWork, type EnvironmentId } from '../database/index.js';
import type { Actor } from '../organizations/index.js';
import { shownWebhook } from './shown-webhook.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookWriter } from './webhook-writer.js';
import type { Webhook, WebhookCreateRequest, WebhookUpdateRequest } from './webhook.dto.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** The webhooks of an environment. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly writer: WebhookWriter,
    private readonly secrets: WebhookSecrets,
    private readonly work: UnitOfWork,
    private readonly security: SecurityLog,
  ) {}

  async list(environmentId: EnvironmentId): Promise<{ data: Webhook[] }> {
    return { data: (await this.webhooks.listAll(environmentId)).map(shownWebhook) };
  }

  /** The result holds the secret. */
  async create(environmentId: EnvironmentId, request: WebhookCreateRequest, actor: Actor): Promise<Webhook> {
    const terms = this.writer.check(request);
    const prepared = await this.writer.prepareNew(environmentId, terms);
    const row = await this.work.run((tx) => this.writer.create(environmentId, prepared, actor, tx));
    return { ...shownWebhook(row), secret: prepared.secret.reveal() };
  }

  /** Reading a webhook is for everyone with a view; its secret is for API tokens that may read webhooks, and for developers, who can make both. */
  async get(
    environmentId: EnvironmentId,
    id: string,
    { includeSecret, caller }: { includeSecret?: boolean; caller: DashboardPrincipal },
  ): Promise<Webhook> {
    if (includeSecret && caller.kind === 'dashboardUser' && !(caller.role && roleReaches(caller.role, 'developer'))) {
      throw forbidden({ hint: 'Viewers may not see the secret of a webhook.' });
    }
    const row = await this.webhooks.findOne(environmentId, id);
    if (!row) throw notFound();
    if (!includeSecret) return shownWebhook(row);
    const secret = (await this.secrets.open(row.sealedSecret, row)).reveal();
    const principalId = caller.kind === 'environmentToken' ? caller.tokenId : caller.userId;
    const fields = { environmentId, webhookId: id, principal: caller.kind, principalId };
    this.security.record(SecurityEvent.SecretRevealed, fields);
    return { ...shownWebhook(row), secret };
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
}
