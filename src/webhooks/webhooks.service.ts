import { Injectable } from '@nestjs/common';
import { roleReaches, type DashboardPrincipal } from '../auth/index.js';
import { forbidden, notFound } from '../common/errors/index.js';
import { newId } from '../common/ids.js';
import { Outbox, UnitOfWork, type EnvironmentId } from '../database/index.js';
import { ChangeLog, type Actor } from '../organizations/index.js';
import { selectEvents } from './event-selection.js';
import { shownWebhook } from './shown-webhook.js';
import type { Webhook, WebhookCreateRequest, WebhookUpdateRequest } from './webhook.dto.js';
import { tooManyWebhooks } from './webhook.errors.js';
import { PING, WEBHOOK_CREATED, WEBHOOK_DELETED, WEBHOOK_UPDATED } from './webhook.events.js';
import { PAYLOAD_VERSION } from './payload-version.js';
import { WebhookSecret } from './webhook-secret.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookTargets } from './webhook-targets.js';
import { WebhooksRepository, type WebhookRow } from './webhooks.repository.js';

const MAX_PER_ENVIRONMENT = 20;

/** The webhooks of an environment. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly targets: WebhookTargets,
    private readonly secrets: WebhookSecrets,
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly changes: ChangeLog,
  ) {}

  async list(environmentId: EnvironmentId): Promise<{ data: Webhook[] }> {
    return { data: (await this.webhooks.listAll(environmentId)).map(shownWebhook) };
  }

  /** The result holds the secret. */
  async create(environmentId: EnvironmentId, request: WebhookCreateRequest, actor: Actor): Promise<Webhook> {
    const secret = WebhookSecret.generate();
    const id = newId();
    const webhook = {
      id,
      ...this.checked(request),
      version: PAYLOAD_VERSION,
      ...(await this.secrets.seal(secret, { environmentId, webhookId: id })),
    };
    const row = await this.work.run(async (tx) => {
      const created = await this.webhooks.insertWithin(MAX_PER_ENVIRONMENT, environmentId, webhook, tx);
      if (!created) throw tooManyWebhooks();
      const change = {
        event: WEBHOOK_CREATED,
        resource: { type: 'webhook', id },
        before: null,
        after: shownWebhook(created),
      };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
      const ping = { event: PING, resourceId: id, data: { webhookId: id } };
      if (created.isEnabled) await this.outbox.append(environmentId, [ping], tx);
      return created;
    });
    return { ...shownWebhook(row), secret: secret.reveal() };
  }

  /** Reading a webhook is for everyone with a view; its secret is for API tokens that may read webhooks, and admins. */
  async get(
    environmentId: EnvironmentId,
    id: string,
    { includeSecret, caller }: { includeSecret?: boolean; caller: DashboardPrincipal },
  ): Promise<Webhook> {
    if (includeSecret && caller.kind === 'dashboardUser' && !(caller.role && roleReaches(caller.role, 'admin'))) {
      throw forbidden({ hint: 'Of members, only admins may see the secret of a webhook.' });
    }
    const row = await this.webhooks.findOne(environmentId, id);
    if (!row) throw notFound();
    const { sealedSecret, ...webhook } = row;
    if (!includeSecret) return shownWebhook(webhook);
    return { ...shownWebhook(webhook), secret: (await this.secrets.open(sealedSecret, row)).reveal() };
  }

  async update(
    environmentId: EnvironmentId,
    id: string,
    request: WebhookUpdateRequest,
    actor: Actor,
  ): Promise<Webhook> {
    const checked = this.checked(request);
    return this.work.run(async (tx) => {
      const found = await this.webhooks.lockOne(environmentId, id, tx);
      const row = found && (await this.webhooks.change(environmentId, id, checked, tx));
      if (!row) throw notFound();
      const [before, after] = [shownWebhook(found), shownWebhook(row)];
      const change = { event: WEBHOOK_UPDATED, resource: { type: 'webhook', id }, before, after };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
      return after;
    });
  }

  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run(async (tx) => {
      const found = await this.webhooks.lockOne(environmentId, id, tx);
      const row = found && (await this.webhooks.markDeleted(environmentId, id, tx));
      if (!row) throw notFound();
      const change = {
        event: WEBHOOK_DELETED,
        resource: { type: 'webhook', id },
        before: shownWebhook(found),
        after: null,
      };
      await this.changes.record({ scope: { environmentId }, actor, ...change, data: shownWebhook(row) }, tx);
    });
  }

  private checked({ url, events, isEnabled }: WebhookUpdateRequest): Pick<WebhookRow, 'url' | 'events' | 'isEnabled'> {
    return { url: this.targets.parse(url), events: selectEvents(events), isEnabled };
  }
}
