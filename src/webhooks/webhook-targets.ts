import { Injectable } from '@nestjs/common';
import { egressEvent, EgressPolicy } from '../outbound/index.js';
import { webhookUrlRefused } from './webhook.errors.js';

const TOPIC = /^arn:/i;

/** Decides which URLs a webhook may have. DNS can change, so the same policy runs again for every connection. */
@Injectable()
export class WebhookTargets {
  constructor(private readonly policy: EgressPolicy) {}

  /** The URL in normalised form. @throws webhook_url_refused with a sentence that says why */
  parse(url: string): string {
    if (TOPIC.test(url))
      throw webhookUrlRefused({ message: 'Topics of Amazon SNS are not supported; give an https:// URL.' });
    const verdict = this.policy.checkUrl(url);
    if (verdict.allowed) return verdict.url.href;
    const { message, reason } = verdict;
    throw webhookUrlRefused({ message, payload: { reason }, ...egressEvent(reason) });
  }
}
