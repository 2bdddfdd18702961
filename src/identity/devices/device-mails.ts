import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { LogRecord } from '../../common/log-record.js';
import type { EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { Mailer } from '../../providers/index.js';
import type { Recipient } from '../credentials/identifier-claims.repository.js';
import { deviceMail } from './device-mail.js';

export const TOKEN_MINUTES = 15;

/** Sends the tokens that confirm new devices. */
@Injectable()
export class DeviceMails {
  private readonly log = new Logger('Devices');

  constructor(
    private readonly settings: EnvironmentSettingsReader,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** Never throws: a failure is logged without the address, and the next token is sent once this one has expired. */
  async sendToken(
    environmentId: EnvironmentId,
    recipients: readonly Recipient[],
    { token, userAgent }: { token: string; userAgent: string | null },
  ): Promise<void> {
    try {
      const { general } = await this.settings.get(environmentId);
      const brand = general.emailCompanyName || general.displayName || '';
      const words = { brand, token, minutes: TOKEN_MINUTES, at: this.clock.now(), userAgent };
      const mails = recipients.map(({ address, language }) =>
        this.mailer.send({ environmentId, to: address, code: token, ...deviceMail({ ...words, language }) }),
      );
      await Promise.all(mails);
    } catch {
      this.log.warn(new LogRecord('A new-device message could not be sent.', { environmentId }));
    }
  }
}
