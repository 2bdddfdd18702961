import { Injectable, Logger } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { UserReader } from '../../identity/index.js';
import { Mailer } from '../../providers/index.js';
import { RecoveryEmailsRepository } from '../recovery/recovery-emails.repository.js';
import type { KeyMail } from './key-mails.js';

/** What happened, and to which wallet. */
interface Happened {
  readonly mail: KeyMail;
  readonly address: string;
}

/** Tells a user, at every address that they have proven, what became of keys of theirs and of the ways to them. */
@Injectable()
export class KeyNotices {
  private readonly log = new Logger('WalletKeys');

  constructor(
    private readonly users: UserReader,
    private readonly emails: RecoveryEmailsRepository,
    private readonly settings: EnvironmentSettingsReader,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** The verified addresses of the account, and the recovery e-mail. */
  async addressesOf(environmentId: EnvironmentId, userId: string): Promise<string[]> {
    const [{ verifiedCredentials }, recovery] = await Promise.all([
      this.users.getFull(environmentId, userId),
      this.emails.find(environmentId, userId),
    ]);
    const verified = verifiedCredentials.flatMap(({ format, email, verifiedAt }) =>
      format === 'email' && email && verifiedAt ? [email] : [],
    );
    return [...new Set([...verified, ...(recovery ? [recovery] : [])])];
  }

  /** What was done stands; a message that cannot be handed over is noted in the log. */
  async tell(environmentId: EnvironmentId, userId: string, happened: Happened, client: ClientOrigin): Promise<void> {
    await this.noted(async () => {
      const addresses = await this.addressesOf(environmentId, userId);
      await this.sendAll(environmentId, addresses, happened, client);
    });
  }

  /** The same at addresses that were asked for before a change. */
  async tellAt(
    environmentId: EnvironmentId,
    addresses: readonly string[],
    happened: Happened,
    client: ClientOrigin,
  ): Promise<void> {
    await this.noted(() => this.sendAll(environmentId, addresses, happened, client));
  }

  private async sendAll(
    environmentId: EnvironmentId,
    addresses: readonly string[],
    { mail, address }: Happened,
    { userAgent }: ClientOrigin,
  ): Promise<void> {
    const { general } = await this.settings.get(environmentId);
    const brand = general.emailCompanyName || general.displayName || '';
    const content = mail({ brand, address, at: this.clock.now(), userAgent });
    await Promise.all(addresses.map((to) => this.mailer.send({ environmentId, to, ...content })));
  }

  private async noted(telling: () => Promise<void>): Promise<void> {
    try {
      await telling();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.warn(`No message about a key: ${reason}`);
    }
  }
}
