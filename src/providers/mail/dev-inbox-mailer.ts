import { Injectable } from '@nestjs/common';
import { DevInbox } from './dev-inbox.js';
import { Mailer, type Mail } from './mailer.js';

/** Keeps emails in the development inbox instead of sending them. */
@Injectable()
export class DevInboxMailer extends Mailer {
  constructor(private readonly inbox: DevInbox) {
    super();
  }

  override async send({ to, subject, text, code }: Mail): Promise<void> {
    this.inbox.add({ channel: 'email', to, subject, text, code: code ?? null });
  }
}
