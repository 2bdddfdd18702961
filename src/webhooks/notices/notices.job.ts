import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { EnvironmentsProvisioner, Mailboxes } from '../../organizations/index.js';
import { Mailer } from '../../providers/index.js';
import { Jobs } from '../../queue/index.js';
import { NOTICE_BELL } from '../delivery/bells.js';
import { SealedSecretsRepository } from '../sealed-secrets.repository.js';
import { disabledMail } from './disabled-mail.js';
import { NoticesRepository, type Notice } from './notices.repository.js';

const SWEEP_MS = 60_000;

/**
 * Emails owners about disabled webhooks. An email is claimed, sent, and then removed: an interruption in between may
 * send it twice, but never loses it.
 */
@Injectable()
export class NoticesJob implements OnModuleInit {
  private readonly log = new Logger('Webhooks');

  constructor(
    private readonly notices: NoticesRepository,
    private readonly mailboxes: Mailboxes,
    private readonly mailer: Mailer,
    private readonly environments: EnvironmentsProvisioner,
    private readonly secrets: SealedSecretsRepository,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.every(NOTICE_BELL, SWEEP_MS, () => this.run());
  }

  async run(): Promise<void> {
    await this.secrets.wipeExpired();
    while (!this.jobs.isStopping) {
      const taken = await this.notices.take();
      if (taken.length === 0) return;
      for (const notice of taken) {
        // What is left of the page is due again after its pause.
        if (this.jobs.isStopping) return;
        await this.send(notice);
      }
    }
  }

  private async send(notice: Notice): Promise<void> {
    const { id, userId, isLast, isOfOwner } = notice;
    if (!isOfOwner) return this.notices.remove(notice);
    try {
      const [to] = await this.mailboxes.listProven(userId);
      const environmentId = await this.environments.ensureConsole();
      if (to) await this.mailer.send({ environmentId, to, ...disabledMail(notice) });
      else this.log.warn(`Notice ${id} is skipped: owner ${userId} has no verified address`);
    } catch (error) {
      this.log.error(`Notice ${id} could not be sent${isLast ? ', giving up' : ''}: ${(error as Error).message}`);
      if (!isLast) return;
    }
    await this.notices.remove(notice);
  }
}
