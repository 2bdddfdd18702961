import { Injectable } from '@nestjs/common';
import { WebhookSecret } from '../webhooks/index.js';

/** The secrets of webhooks that point at the catcher, registered by who made them. */
@Injectable()
export class CatcherSecrets {
  private readonly byWebhook = new Map<string, WebhookSecret>();
  private fallback: WebhookSecret | null = null;

  /**
   * @param secret the text, `whsec_` included
   * @param webhookId the one webhook it belongs to; without it the secret stands for every webhook that is not known
   */
  set(secret: string, webhookId?: string): void {
    const parsed = WebhookSecret.parse(secret);
    if (webhookId === undefined) this.fallback = parsed;
    else this.byWebhook.set(webhookId, parsed);
  }

  find(webhookId: string | null): WebhookSecret | null {
    return (webhookId === null ? undefined : this.byWebhook.get(webhookId)) ?? this.fallback;
  }
}
