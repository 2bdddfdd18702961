import { Injectable } from '@nestjs/common';
import { InviteMails, type InviteLetter } from '../../organizations/index.js';
import { inviteMail } from './invite-mail.js';
import { Mailer } from './mailer.js';

/** Sends invites with the emails of the console environment. */
@Injectable()
export class MailedInvites extends InviteMails {
  constructor(private readonly mailer: Mailer) {
    super();
  }

  override send(letter: InviteLetter): Promise<void> {
    const { consoleEnvironmentId: environmentId, to } = letter;
    return this.mailer.send({ environmentId, to, ...inviteMail(letter) });
  }
}
