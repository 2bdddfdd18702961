import { Injectable, Logger } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import { Clock } from '../../../common/clock.js';
import type { EnvironmentId } from '../../../database/index.js';
import { EnvironmentSettingsReader } from '../../../environments/index.js';
import { Mailer } from '../../../providers/index.js';
import { IdentifierClaimsRepository } from '../../credentials/identifier-claims.repository.js';
import { passkeyMail, type PasskeyChange } from './passkey-mail.js';

/** Tells a user, at every address that they have proven, that a passkey came or went: somebody else may have done it. */
@Injectable()
export class PasskeyNotices {
  private readonly log = new Logger('Passkeys');

  constructor(
    private readonly claims: IdentifierClaimsRepository,
    private readonly settings: EnvironmentSettingsReader,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** The change stands; a message that cannot be handed over is noted in the log. */
  async tell(
    environmentId: EnvironmentId,
    userId: string,
    change: PasskeyChange,
    { userAgent }: ClientOrigin,
  ): Promise<void> {
    try {
      const { general } = await this.settings.get(environmentId);
      const brand = general.emailCompanyName || general.displayName || '';
      const content = passkeyMail({ brand, change, at: this.clock.now(), userAgent });
      const addresses = await this.claims.listProvenEmails(environmentId, userId);
      await Promise.all(addresses.map((to) => this.mailer.send({ environmentId, to, ...content })));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.warn(`No message that a passkey was ${change}: ${reason}`);
    }
  }
}
