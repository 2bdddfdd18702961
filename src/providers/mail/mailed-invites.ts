import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InviteMails, type InviteCarrier, type InviteLetter } from '../../organizations/index.js';
import { inviteMail } from './invite-mail.js';
import { Mailer } from './mailer.js';
import { isSurelyUnsent } from './unsent-mail.js';

/** Sends invites through the mailer of the console environment. */
@Injectable()
export class MailedInvites implements InviteCarrier, OnModuleInit {
  constructor(
    private readonly invites: InviteMails,
    private readonly mailer: Mailer,
  ) {}

  onModuleInit(): void {
    this.invites.register(this);
  }

  send(letter: InviteLetter): Promise<void> {
    const { consoleEnvironmentId: environmentId, to } = letter;
    return this.mailer.send({ environmentId, to, ...inviteMail(letter) });
  }

  isUnsent(error: unknown): boolean {
    return isSurelyUnsent(error);
  }
}
