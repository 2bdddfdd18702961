import type { InviteLetter } from '../../organizations/index.js';
import { escapeHtml, nameInMail, singleLine, type MailContent } from './mail-text.js';

/** The email with an invite. Its one link is built from the configured address. */
export function inviteMail({ organizationName, role, invitedBy, to, url, days }: InviteLetter): MailContent {
  const name = nameInMail(organizationName) || 'an organization';
  const by = invitedBy ? ` by ${singleLine(invitedBy)}` : '';
  const lines = [
    `You are invited to ${name} as ${role}${by}.`,
    `The invite is for ${to} and can be accepted for ${days} days, after signing in with this address:`,
    url,
    'If you do not know the sender, ignore this message: nothing happens unless you sign in.',
    `Sent by ${new URL(url).host} for ${name}.`,
  ];
  const paragraphs = lines.map((line) =>
    line === url ? `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>` : `<p>${escapeHtml(line)}</p>`,
  );
  return {
    subject: `You are invited to ${name}`,
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${paragraphs.join('')}</body></html>`,
  };
}
