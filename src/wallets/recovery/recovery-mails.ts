import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../auth/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { normaliseEmail, UserReader } from '../../identity/index.js';
import { escapeHtml, isSurelyUnsent, Mailer, nameInMail } from '../../providers/index.js';
import { noRecoveryEmail, recoveryOff } from './recovery.errors.js';
import { RecoveryEmailsRepository } from './recovery-emails.repository.js';

/** Wallet codes per user, for all purposes together. */
export const RECOVERY_MAILS = { name: 'wallet-recovery-mails', limit: 3, windowSeconds: 3_600 } as const;

export type RecoveryWay = 'emailAuth' | 'passkey';

/** The contents of a mail with a code. */
export interface CodeMail {
  readonly subject: string;
  readonly does: string;
  readonly code: string;
  /** How often it can be used, and until when. */
  readonly lasts: string;
}

const normalForm = (email: string): string => normaliseEmail(email)?.normal ?? email;

/** Sends wallet codes to the recovery address of a user. */
@Injectable()
export class RecoveryMails {
  constructor(
    private readonly emails: RecoveryEmailsRepository,
    private readonly users: UserReader,
    private readonly settings: EnvironmentSettingsReader,
    private readonly mailer: Mailer,
    private readonly limiter: RateLimiter,
  ) {}

  /** @throws ApiError wallet_recovery_off */
  async assertOn(environmentId: EnvironmentId, way: RecoveryWay): Promise<void> {
    const { sdk } = await this.settings.get(environmentId);
    const [setting, isOn] =
      way === 'passkey'
        ? ['sdk.passkeyEmbeddedWalletRecoveryEnabled', sdk.passkeyEmbeddedWalletRecoveryEnabled]
        : ['sdk.embeddedWallets.emailRecoveryEnabled', sdk.embeddedWallets?.emailRecoveryEnabled];
    if (isOn === false) throw recoveryOff({ payload: { setting } });
  }

  /**
   * Counts a call that sends a code, unless certainly nothing was sent: a mail server outage costs the user nothing.
   *
   * @throws ApiError wallet_recovery_off, no_recovery_email, too_many_requests, and what the call throws
   */
  async within<T>(environmentId: EnvironmentId, userId: string, way: RecoveryWay, call: () => Promise<T>): Promise<T> {
    await this.assertOn(environmentId, way);
    await this.addressOf(environmentId, userId);
    return this.limiter.within(RECOVERY_MAILS, `${environmentId}:${userId}`, call, isSurelyUnsent);
  }

  /**
   * The recovery e-mail, or else a verified address of the account. Callers that send a code read it while the user is
   * locked, so that no code goes to a mailbox that is being removed at the same time.
   *
   * @throws ApiError no_recovery_email
   */
  async addressOf(environmentId: EnvironmentId, userId: string, tx?: Transaction): Promise<string> {
    const chosen = await this.emails.find(environmentId, userId, tx);
    const address = chosen ?? (await this.ofAccount(environmentId, userId, tx));
    if (!address) throw noRecoveryEmail();
    return address;
  }

  /** @throws ApiError 503 `mail_unavailable` */
  async send(environmentId: EnvironmentId, to: string, { subject, does, code, lasts }: CodeMail): Promise<void> {
    const { general } = await this.settings.get(environmentId);
    const name = nameInMail(general.emailCompanyName || general.displayName || '') || 'Gatehouse';
    const otherwise = `If you did not ask for it, someone else is signed in to your account at ${name}: do not share the code, and contact the operator of the application, who can sign you out everywhere.`;
    const lines = [`${does} at ${name}:`, code, lasts, otherwise];
    const text = `${lines.join('\n\n')}\n`;
    const html = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
    await this.mailer.send({
      environmentId,
      to,
      subject: `${subject} at ${name}`,
      text,
      html: `<!doctype html><html lang="en"><body>${html}</body></html>`,
      code,
    });
  }

  private async ofAccount(environmentId: EnvironmentId, userId: string, tx?: Transaction): Promise<string | undefined> {
    const { email, verifiedCredentials } = await this.users.getFull(environmentId, userId, tx);
    const verified = verifiedCredentials.flatMap((one) =>
      one.format === 'email' && one.email && one.verifiedAt ? [one.email] : [],
    );
    const profile = normalForm(email ?? '');
    return verified.find((one) => normalForm(one) === profile) ?? verified[0];
  }
}
