import { Injectable, Logger } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { Mailer, nameInMail } from '../../providers/index.js';

/** What users are told about their second factors by mail. */
@Injectable()
export class MfaNotices {
  private readonly logger = new Logger(MfaNotices.name);

  constructor(
    private readonly settings: EnvironmentSettingsReader,
    private readonly mailer: Mailer,
  ) {}

  /** The change is made already, so a message that cannot be handed over does not fail it. */
  async tellReset(environmentId: EnvironmentId, to: string): Promise<void> {
    const { general } = await this.settings.get(environmentId);
    const name = nameInMail(general.emailCompanyName || general.displayName || '') || 'Gatehouse';
    const lines = [
      `An administrator of ${name} has removed the second factors of your account.`,
      'You can sign in without them, and register new ones. If you did not ask for this, tell the administrators.',
    ];
    const mail = {
      environmentId,
      to,
      subject: `Your second factors for ${name} were removed`,
      text: lines.join('\n\n'),
    };
    await this.mailer.send(mail).catch(() => {
      this.logger.warn({ environmentId }, 'A notice of an MFA reset could not be sent.');
    });
  }
}
