import { nameInMail, type Mail } from '../../providers/index.js';
import { environmentName } from '../events/environment-name.js';
import type { Notice } from './notices.repository.js';

const REASONS: Readonly<Record<Notice['reason'], string>> = {
  gone: 'The receiver answered 410 Gone, which asks for no more messages.',
  failing: 'For five days every message has failed.',
};

/** What an owner reads when the service has disabled a webhook. Of the address it shows no query, which may hold a secret. */
export function disabledMail(notice: Notice): Pick<Mail, 'subject' | 'text'> {
  const project = nameInMail(notice.projectName) || 'a project';
  const { origin, pathname } = new URL(notice.url);
  const lines = [
    `A webhook of ${project} (${environmentName(notice.kind)}) is disabled:`,
    `${origin}${pathname}`,
    REASONS[notice.reason],
    'Nothing is sent to it any more, and messages that become due in the meantime fail. Once the receiver is fixed, enable the webhook; failed messages can be redelivered.',
    `You receive this because you are an owner of ${nameInMail(notice.organizationName) || 'the organization'}.`,
  ];
  return { subject: `Webhook disabled: ${project}`, text: `${lines.join('\n\n')}\n` };
}
