import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { Mailer } from '../../providers/index.js';
import { IdentifierClaimsRepository } from '../credentials/identifier-claims.repository.js';
import { accountMail, type AccountMail } from './account-mail.js';

/** Mails people about changes of their account, at every address that they have proven. */
@Injectable()
export class AccountNotices {
  private readonly log = new Logger('Accounts');

  constructor(
    private readonly claims: IdentifierClaimsRepository,
    private readonly settings: EnvironmentSettingsReader,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** Where a user is told, to be asked before the change: afterwards the addresses may be others. */
  addressesOf(environmentId: EnvironmentId, userId: string): Promise<string[]> {
    return this.claims.listProvenEmails(environmentId, userId);
  }

  /** The change stands; a message that cannot be handed over is noted in the log, without its address. */
  async tell(
    environmentId: EnvironmentId,
    addresses: readonly string[],
    mail: Omit<AccountMail, 'brand' | 'at'>,
  ): Promise<void> {
    if (addresses.length === 0) return;
    try {
      const { general } = await this.settings.get(environmentId);
      const brand = general.emailCompanyName || general.displayName || '';
      const content = accountMail({ ...mail, brand, at: this.clock.now() });
      await Promise.all([...new Set(addresses)].map((to) => this.mailer.send({ environmentId, to, ...content })));
    } catch {
      this.log.warn({ environmentId }, `A notice of the kind ${mail.change} could not be sent.`);
    }
  }
}
