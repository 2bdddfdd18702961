import { Injectable } from '@nestjs/common';
import { isUuid } from '../common/ids.js';
import { WebhookSecret } from '../webhooks/index.js';

/** Looks up the secret of a webhook that was created while the service was running; null if there is none. */
type SecretSource = (environmentId: string, webhookId: string) => Promise<WebhookSecret | null>;

/** The secrets of webhooks that point at the catcher. */
@Injectable()
export class CatcherSecrets {
  private readonly byWebhook = new Map<string, WebhookSecret>();
  private fallback: WebhookSecret | null = null;
  private source: SecretSource = async () => null;

  /**
   * @param secret the text, including `whsec_`
   * @param webhookId the webhook it belongs to; without it, the secret is used for every unknown webhook
   */
  set(secret: string, webhookId?: string): void {
    const parsed = WebhookSecret.parse(secret);
    if (webhookId === undefined) this.fallback = parsed;
    else this.byWebhook.set(webhookId, parsed);
  }

  /** Sets the lookup for unregistered webhooks. */
  lookUpIn(source: SecretSource): void {
    this.source = source;
  }

  /** The secret for ids claimed by a message; the claim is only trusted once the signature is valid. */
  async lookUp(environmentId: string, webhookId: string): Promise<WebhookSecret | null> {
    return isUuid(environmentId) && isUuid(webhookId) ? this.source(environmentId, webhookId) : null;
  }

  find(webhookId: string | null): WebhookSecret | null {
    return (webhookId === null ? undefined : this.byWebhook.get(webhookId)) ?? this.fallback;
  }
}
