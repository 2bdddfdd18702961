import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { EnvironmentSettingsReader, TestAccounts } from '../../../environments/index.js';
import { codeMail, Mailer } from '../../../providers/index.js';
import { newCode } from './one-time-code.js';

/** The codes of addresses and how they reach them. */
@Injectable()
export class CodeMails {
  constructor(
    private readonly tests: TestAccounts,
    private readonly mailer: Mailer,
    private readonly settings: EnvironmentSettingsReader,
    private readonly config: Config,
  ) {}

  /** A new code, or the fixed one of the environment's test account. */
  async codeFor(environmentId: EnvironmentId, email: string): Promise<string> {
    return (await this.tests.codeFor(environmentId, email)) ?? newCode();
  }

  /** Whether a code that was right may still be used: that of a test account, as long as there is the account. */
  async isGood(environmentId: EnvironmentId, email: string): Promise<boolean> {
    return !this.tests.isReserved(email) || (await this.tests.codeFor(environmentId, email)) !== null;
  }

  /** Hands the message over. Nothing is ever sent to an address of the kind that test accounts have. */
  async send(environmentId: EnvironmentId, email: string, code: string, minutes: number): Promise<void> {
    if (this.tests.isReserved(email)) return;
    const { general } = await this.settings.get(environmentId);
    const brand = general.emailCompanyName || general.displayName || '';
    const content = codeMail({ brand, code, minutes, publicUrl: this.config.publicUrl });
    await this.mailer.send({ environmentId, to: email, code, ...content });
  }
}
