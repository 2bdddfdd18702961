import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { LogRecord } from '../../common/log-record.js';
import type { EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { Mailer } from '../../providers/index.js';
import { IdentifierClaimsRepository, type Recipient } from '../credentials/identifier-claims.repository.js';
import { accountMail, type AccountMail } from './account-mail.js';

/** Mails people about changes to their account, at every verified address. */
@Injectable()
export class AccountNotices {
  private readonly log = new Logger('Accounts');

  constructor(
    private readonly claims: IdentifierClaimsRepository,
    private readonly settings: EnvironmentSettingsReader,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** The addresses to notify. Call it before the change, which may alter them. */
  addressesOf(environmentId: EnvironmentId, userId: string): Promise<Recipient[]> {
    return this.claims.listRecipients(environmentId, userId);
  }

  /** Sends the mails. Never throws: the change is already made, so a failure is only logged, without the address. */
  async tell(
    environmentId: EnvironmentId,
    recipients: readonly Recipient[],
    mail: Omit<AccountMail, 'brand' | 'at' | 'language'>,
  ): Promise<void> {
    if (recipients.length === 0) return;
    try {
      const { general } = await this.settings.get(environmentId);
      const brand = general.emailCompanyName || general.displayName || '';
      const at = this.clock.now();
      const languages = new Map(recipients.map(({ address, language }) => [address, language]));
      const mails = [...languages].map(([to, language]) =>
        this.mailer.send({ environmentId, to, ...accountMail({ ...mail, brand, at, language }) }),
      );
      await Promise.all(mails);
    } catch {
      this.log.warn(new LogRecord(`A ${mail.change} notice could not be sent.`, { environmentId }));
    }
  }
}
