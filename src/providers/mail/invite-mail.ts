import type { InviteLetter } from '../../organizations/index.js';
import { escapeHtml, mailboxInMail, nameInMail, type MailContent } from './mail-text.js';

/** The email with an invite. Its only link is built from PUBLIC_URL. */
export function inviteMail({ organizationName, role, invitedBy, to, url, days }: InviteLetter): MailContent {
  const name = nameInMail(organizationName) || 'an organization';
  const by = invitedBy ? ` by ${mailboxInMail(invitedBy)}` : '';
  const lines = [
    `You have been invited to ${name} as ${role}${by}.`,
    `The invitation is for ${mailboxInMail(to)} and expires after ${days} days. Sign in with this address to accept it:`,
    url,
    'If you were not expecting it, you can ignore this message: nothing happens unless you sign in.',
    `Sent by ${new URL(url).host} for ${name}.`,
  ];
  const paragraphs = lines.map((line) =>
    line === url ? `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>` : `<p>${escapeHtml(line)}</p>`,
  );
  return {
    subject: `Invitation to ${name}`,
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${paragraphs.join('')}</body></html>`,
  };
}
