import { describe, expect, it } from '@jest/globals';
import type { InviteLetter } from '../../organizations/index.js';
import { inviteMail } from './invite-mail.js';

const letter: InviteLetter = {
  consoleEnvironmentId: 'c' as InviteLetter['consoleEnvironmentId'],
  to: 'ann@example.com',
  organizationName: 'Acme',
  role: 'developer',
  invitedBy: 'owner@example.com',
  url: 'https://id.example.com/invites/ghi_x',
  days: 7,
};

describe('the mail with an invite', () => {
  it('says who invites whom to what, for how long, and has one link', () => {
    const { subject, text, html } = inviteMail(letter);
    expect(subject).toBe('Invitation to Acme');
    expect(text).toContain('You have been invited to Acme as developer by owner@example.com.');
    expect(text).toContain('for ann@example.com and expires after 7 days');
    expect(text).toContain('Sent by id.example.com for Acme.');
    expect(html.match(/href="[^"]*"/g)).toEqual(['href="https://id.example.com/invites/ghi_x"']);
  });

  it('leaves out an inviter without an address', () => {
    expect(inviteMail({ ...letter, invitedBy: null }).text).toContain('You have been invited to Acme as developer.');
  });

  it.each(['evil.com/claim@eve.example', 'evil.com?a@eve.example', 'evil.com#a@eve.example'])(
    'has no link to what the address of the inviter or of the invited person begins with: %s',
    (address) => {
      const { text } = inviteMail({ ...letter, invitedBy: address, to: address });
      expect(text.match(/evil.com/g)).toEqual(['evil·com', 'evil·com']);
    },
  );

  it('writes the name of the organization in one line, without markup and addresses', () => {
    const { subject, html } = inviteMail({ ...letter, organizationName: '<b>A</b>\r\nBcc: eve@example.com' });
    expect(subject).toBe('Invitation to b A /b Bcc: eve·example·com');
    expect(html).not.toContain('<b>');
  });
});
