import { nameInMail, type Mail } from '../../providers/index.js';
import { environmentName } from '../events/environment-name.js';
import type { Notice } from './notices.repository.js';

const REASONS: Readonly<Record<Notice['reason'], string>> = {
  gone: 'The receiver responded with 410 Gone, which means that it wants no more messages.',
  failing: 'Every message has failed for five days.',
};

/** The email to an owner when the service disables a webhook. Omits the URL's query, which may contain a secret. */
export function disabledMail(notice: Notice): Pick<Mail, 'subject' | 'text'> {
  const project = nameInMail(notice.projectName) || 'a project';
  const { origin, pathname } = new URL(notice.url);
  const lines = [
    `A webhook of ${project} (${environmentName(notice.kind)}) was disabled:`,
    `${origin}${pathname}`,
    REASONS[notice.reason],
    'Nothing more is sent to it, and messages that become due in the meantime fail. Once the receiver works again, enable the webhook; failed messages can be redelivered.',
    `You receive this because you are an owner of ${nameInMail(notice.organizationName) || 'the organization'}.`,
  ];
  return { subject: `Webhook disabled: ${project}`, text: `${lines.join('\n\n')}\n` };
}
