import { Injectable } from '@nestjs/common';
import { egressEvent, EgressPolicy } from '../outbound/index.js';
import { webhookUrlRefused } from './webhook.errors.js';

const TOPIC = /^arn:/i;

/** Which addresses a webhook may have. Names change, so the same policy is asked again whenever a connection opens. */
@Injectable()
export class WebhookTargets {
  constructor(private readonly policy: EgressPolicy) {}

  /** The address in its normal form. @throws webhook_url_refused with a sentence that says why */
  parse(url: string): string {
    if (TOPIC.test(url))
      throw webhookUrlRefused({ message: 'Topics of Amazon SNS are not supported; give an https:// URL.' });
    const verdict = this.policy.checkUrl(url);
    if (verdict.allowed) return verdict.url.href;
    const { message, reason } = verdict;
    throw webhookUrlRefused({ message, payload: { reason }, ...egressEvent(reason) });
  }
}
