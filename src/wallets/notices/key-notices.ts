import { Injectable, Logger } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { MOST_RECIPIENTS, UserReader } from '../../identity/index.js';
import { Mailer } from '../../providers/index.js';
import { RecoveryEmailsRepository } from '../recovery/recovery-emails.repository.js';
import { keyMail, type KeyMail } from './key-mails.js';

/** What happened, and to which wallet. */
type Happened = Pick<KeyMail, 'change' | 'address' | 'until'>;

/** Where a user is told, and in which language. */
export interface KeyRecipients {
  readonly addresses: readonly string[];
  /** Of BCP 47, as the metadata of the user say. */
  readonly language: string | null;
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

  /** The addresses of the account that were verified first, and the recovery e-mail. */
  async recipientsOf(environmentId: EnvironmentId, userId: string): Promise<KeyRecipients> {
    const [{ verifiedCredentials, metadata }, recovery] = await Promise.all([
      this.users.getFull(environmentId, userId),
      this.emails.find(environmentId, userId),
    ]);
    const verified = verifiedCredentials
      .flatMap(({ format, email, verifiedAt }) =>
        format === 'email' && email && verifiedAt ? [{ email, verifiedAt }] : [],
      )
      .toSorted((one, other) => new Date(one.verifiedAt).getTime() - new Date(other.verifiedAt).getTime())
      .slice(0, MOST_RECIPIENTS)
      .map(({ email }) => email);
    const language = metadata?.['language'];
    return {
      addresses: [...new Set([...verified, ...(recovery ? [recovery] : [])])],
      language: typeof language === 'string' ? language : null,
    };
  }

  /** What was done stands; a message that cannot be handed over is noted in the log. */
  async tell(environmentId: EnvironmentId, userId: string, happened: Happened, client: ClientOrigin): Promise<void> {
    await this.noted(() => this.tellSurely(environmentId, userId, happened, client));
  }

  /**
   * For what waits so that its user hears of it first, and is not to begin without that.
   * @throws ApiError mail_unavailable, mail_budget_used_up
   */
  async tellSurely(
    environmentId: EnvironmentId,
    userId: string,
    happened: Happened,
    client: ClientOrigin,
  ): Promise<void> {
    await this.sendAll(environmentId, await this.recipientsOf(environmentId, userId), happened, client);
  }

  /** The same at addresses that were asked for before a change. */
  async tellAt(
    environmentId: EnvironmentId,
    recipients: KeyRecipients,
    happened: Happened,
    client: ClientOrigin,
  ): Promise<void> {
    await this.noted(() => this.sendAll(environmentId, recipients, happened, client));
  }

  private async sendAll(
    environmentId: EnvironmentId,
    { addresses, language }: KeyRecipients,
    happened: Happened,
    { userAgent }: ClientOrigin,
  ): Promise<void> {
    const { general } = await this.settings.get(environmentId);
    const brand = general.emailCompanyName || general.displayName || '';
    const content = keyMail({ ...happened, brand, at: this.clock.now(), userAgent, language });
    await Promise.all(addresses.map((to) => this.mailer.send({ environmentId, to, ...content })));
  }

  private async noted(telling: () => Promise<void>): Promise<void> {
    try {
      await telling();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.warn(`A key notice was not sent: ${reason}`);
    }
  }
}
