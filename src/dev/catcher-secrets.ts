import { Injectable } from '@nestjs/common';
import { isUuid } from '../common/ids.js';
import { WebhookSecret } from '../webhooks/index.js';

/** Where the secret of a webhook is found that was made while the service ran; null when there is none. */
type SecretSource = (environmentId: string, webhookId: string) => Promise<WebhookSecret | null>;

/** The secrets of webhooks that point at the catcher, registered by who made them. */
@Injectable()
export class CatcherSecrets {
  private readonly byWebhook = new Map<string, WebhookSecret>();
  private fallback: WebhookSecret | null = null;
  private source: SecretSource = async () => null;

  /**
   * @param secret the text, `whsec_` included
   * @param webhookId the one webhook it belongs to; without it the secret stands for every webhook that is not known
   */
  set(secret: string, webhookId?: string): void {
    const parsed = WebhookSecret.parse(secret);
    if (webhookId === undefined) this.fallback = parsed;
    else this.byWebhook.set(webhookId, parsed);
  }

  /** For webhooks that nobody registers. */
  lookUpIn(source: SecretSource): void {
    this.source = source;
  }

  /** Of a webhook that says itself who it is: what it says is believed once its signature is good. */
  async lookUp(environmentId: string, webhookId: string): Promise<WebhookSecret | null> {
    return isUuid(environmentId) && isUuid(webhookId) ? this.source(environmentId, webhookId) : null;
  }

  find(webhookId: string | null): WebhookSecret | null {
    return (webhookId === null ? undefined : this.byWebhook.get(webhookId)) ?? this.fallback;
  }
}
