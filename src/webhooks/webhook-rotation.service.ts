import { Injectable } from '@nestjs/common';
import { notFound } from '../common/errors/index.js';
import type { EnvironmentId, Work } from '../database/index.js';
import type { Actor } from '../organizations/index.js';
import { shownWebhook } from './shown-webhook.js';
import { WebhookSecret } from './webhook-secret.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSigningKey } from './webhook-signing-key.js';
import { WebhookWriter } from './webhook-writer.js';
import { DEFAULT_OVERLAP_HOURS, type Webhook, type WebhookRotateSecretRequest } from './webhook.dto.js';
import { secretRotationUnderWay } from './webhook.errors.js';
import { WEBHOOK_SECRET_ROTATED } from './webhook.events.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** Rotates the secrets of existing webhooks. */
@Injectable()
export class WebhookRotation {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly writer: WebhookWriter,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** The result holds the new secret. @throws notFound, secret_rotation_under_way */
  async rotate(
    environmentId: EnvironmentId,
    id: string,
    { overlapHours = DEFAULT_OVERLAP_HOURS }: WebhookRotateSecretRequest,
    actor: Actor,
    work: Work,
  ): Promise<Webhook> {
    const [holder, secret, key] = [
      { environmentId, webhookId: id },
      WebhookSecret.generate(),
      WebhookSigningKey.generate(),
    ];
    const [sealedSecret, sealedKey] = await Promise.all([
      this.secrets.sealSecret(secret, holder),
      this.secrets.sealSigningKey(key, holder),
    ]);
    const keys = {
      sealedSecret,
      signingKey: { sealed: sealedKey, publicKey: key.publicKey },
      masterKeyId: this.secrets.keyIdOf(sealedSecret, sealedKey),
    };
    const row = await work.run(async (tx) => {
      const before = await this.webhooks.lockOne(environmentId, id, tx);
      if (!before) throw notFound();
      const after = await this.webhooks.rotate(environmentId, id, overlapHours, keys, tx);
      if (!after) throw secretRotationUnderWay({ payload: { until: before.previousSecretUntil } });
      await this.writer.record(environmentId, { event: WEBHOOK_SECRET_ROTATED, id, before, after, actor }, tx);
      return after;
    });
    return { ...shownWebhook(row), secret: secret.reveal() };
  }
}
