import { Injectable, Logger } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { UserReader } from '../../identity/index.js';
import { Mailer } from '../../providers/index.js';
import type { KeyMail } from './key-mails.js';

/** Tells a user, at every address that they have proven, that a key of theirs leaves or has come. */
@Injectable()
export class KeyNotices {
  private readonly log = new Logger('WalletKeys');

  constructor(
    private readonly users: UserReader,
    private readonly settings: EnvironmentSettingsReader,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** What was done stands; a message that cannot be handed over is noted in the log. */
  async tell(
    environmentId: EnvironmentId,
    userId: string,
    { mail, address }: { readonly mail: KeyMail; readonly address: string },
    { userAgent }: ClientOrigin,
  ): Promise<void> {
    try {
      const { general } = await this.settings.get(environmentId);
      const brand = general.emailCompanyName || general.displayName || '';
      const content = mail({ brand, address, at: this.clock.now(), userAgent });
      const { verifiedCredentials } = await this.users.getFull(environmentId, userId);
      const addresses = verifiedCredentials.flatMap(({ format, email, verifiedAt }) =>
        format === 'email' && email && verifiedAt ? [email] : [],
      );
      await Promise.all(addresses.map((to) => this.mailer.send({ environmentId, to, ...content })));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.warn(`No message about a key: ${reason}`);
    }
  }
}
