import { Injectable, Logger } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { MOST_RECIPIENTS, normaliseEmail, UserReader } from '../../identity/index.js';
import { Mailer } from '../../providers/index.js';
import { RecoveryEmailsRepository } from '../recovery/recovery-emails.repository.js';
import { keyMail, type KeyMail } from './key-mails.js';

/** What happened, and to which wallet. */
type Happened = Pick<KeyMail, 'change' | 'address' | 'until'>;

/** The addresses of a user, and the language to write in. */
export interface KeyRecipients {
  readonly addresses: readonly string[];
  /** BCP 47 tag, from the user's metadata. */
  readonly language: string | null;
}

/** The same, as read from the account. */
export interface AccountRecipients extends KeyRecipients {
  /** All verified addresses, told or not, and the recovery e-mail, in normal form. */
  readonly verified: ReadonlySet<string>;
}

/** Tells a user, at all their verified addresses, what happened to their keys and to ways of access to them. */
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

  /** The account's earliest verified addresses, and the recovery e-mail. */
  async recipientsOf(environmentId: EnvironmentId, userId: string): Promise<AccountRecipients> {
    const [{ verifiedCredentials, metadata }, recovery] = await Promise.all([
      this.users.getFull(environmentId, userId),
      this.emails.find(environmentId, userId),
    ]);
    const verified = verifiedCredentials
      .flatMap(({ format, email, verifiedAt }) =>
        format === 'email' && email && verifiedAt ? [{ email, verifiedAt }] : [],
      )
      .toSorted((one, other) => new Date(one.verifiedAt).getTime() - new Date(other.verifiedAt).getTime())
      .map(({ email }) => email);
    const chosen = recovery ? [recovery] : [];
    const language = metadata?.['language'];
    return {
      addresses: [...verified.slice(0, MOST_RECIPIENTS), ...chosen],
      language: typeof language === 'string' ? language : null,
      verified: new Set([...verified, ...chosen].map(normalForm)),
    };
  }

  /** The change stands; a message that cannot be handed over is logged. */
  async tell(environmentId: EnvironmentId, userId: string, happened: Happened, client: ClientOrigin): Promise<void> {
    await this.noted(() => this.tellSurely(environmentId, userId, happened, client));
  }

  /**
   * For actions that wait so that their user hears of them first, and must not begin otherwise.
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

  /** The same, for addresses read before a change. */
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
    // One mail for each mailbox, at the first of its spellings.
    const mailboxes = new Map(addresses.toReversed().map((address) => [normalForm(address), address]));
    await Promise.all([...mailboxes.values()].map((to) => this.mailer.send({ environmentId, to, ...content })));
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

/** Accounts keep addresses as they were stated. */
const normalForm = (email: string): string => normaliseEmail(email)?.normal ?? email;
