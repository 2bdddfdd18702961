import { Injectable, Logger } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { UserReader } from '../../identity/index.js';
import { Mailer } from '../../providers/index.js';
import { exportMail } from './export-mail.js';

/** Tells a user, at every address that they have proven, that a key of theirs was asked for. */
@Injectable()
export class ExportNotices {
  private readonly log = new Logger('WalletExports');

  constructor(
    private readonly users: UserReader,
    private readonly settings: EnvironmentSettingsReader,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** What was asked for stands; a message that cannot be handed over is noted in the log. */
  async tell(
    environmentId: EnvironmentId,
    userId: string,
    address: string,
    { userAgent }: ClientOrigin,
  ): Promise<void> {
    try {
      const { general } = await this.settings.get(environmentId);
      const brand = general.emailCompanyName || general.displayName || '';
      const content = exportMail({ brand, address, at: this.clock.now(), userAgent });
      const { verifiedCredentials } = await this.users.getFull(environmentId, userId);
      const addresses = verifiedCredentials.flatMap(({ format, email, verifiedAt }) =>
        format === 'email' && email && verifiedAt ? [email] : [],
      );
      await Promise.all(addresses.map((to) => this.mailer.send({ environmentId, to, ...content })));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.warn(`No message that a key was asked for: ${reason}`);
    }
  }
}
