import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { EnvironmentSettingsReader, TestAccounts } from '../../../environments/index.js';
import { codeMail, EmailProviders, Mailer } from '../../../providers/index.js';
import { CodeChannel } from '../../codes/code-channel.js';
import { newCode } from '../../codes/one-time-code.js';
import { invalidEmail } from '../../credentials/identifier.errors.js';
import { normaliseEmail } from '../../credentials/identifiers.js';
import { SingleSignOn } from '../../single-sign-on/single-sign-on.js';
import { invalidEmailVerification, tooManyEmailAttempts, wrongEmailCode } from './email-code.errors.js';

/** Codes by email. The message goes to the normal form of the address: that is what it proves. */
@Injectable()
export class EmailChannel extends CodeChannel {
  readonly name = 'email';
  readonly ttlMinutes = 10;
  readonly errors = {
    wrong: wrongEmailCode,
    tooMany: tooManyEmailAttempts,
    unknown: invalidEmailVerification,
  };

  constructor(
    private readonly providers: EmailProviders,
    private readonly tests: TestAccounts,
    private readonly mailer: Mailer,
    private readonly settings: EnvironmentSettingsReader,
    private readonly singleSignOn: SingleSignOn,
    private readonly config: Config,
  ) {
    super();
  }

  override normalise(address: string): string {
    const email = normaliseEmail(address)?.normal;
    if (!email) throw invalidEmail();
    return email;
  }

  override assertEnabled(environmentId: EnvironmentId): Promise<void> {
    return this.providers.assertEnabled(environmentId);
  }

  /** Where mail is enabled it goes everywhere but to those who come in by single sign-on alone. */
  override async assertReaches(environmentId: EnvironmentId, email: string): Promise<void> {
    await this.assertEnabled(environmentId);
    await this.singleSignOn.assertNotHeld(environmentId, [email]);
  }

  override async codeFor(environmentId: EnvironmentId, email: string): Promise<string> {
    return (await this.tests.codeFor(environmentId, email)) ?? newCode();
  }

  /** That of a test account is good as long as there is the account. */
  override async isGood(environmentId: EnvironmentId, email: string): Promise<boolean> {
    // A code may be on its way when its owner is held to single sign-on.
    await this.singleSignOn.assertNotHeld(environmentId, [email]);
    return !this.tests.isReserved(email) || (await this.tests.codeFor(environmentId, email)) !== null;
  }

  /** Nothing is ever sent to an address of the kind that test accounts have. */
  override async send(environmentId: EnvironmentId, email: string, code: string): Promise<void> {
    if (this.tests.isReserved(email)) return;
    const { general } = await this.settings.get(environmentId);
    const brand = general.emailCompanyName || general.displayName || '';
    const content = codeMail({ brand, code, minutes: this.ttlMinutes, publicUrl: this.config.publicUrl });
    await this.mailer.send({ environmentId, to: email, code, ...content });
  }
}
