import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { TestAccounts } from '../../../environments/index.js';
import { EmailProviders } from '../../../providers/index.js';
import { CodeChannel } from '../../codes/code-channel.js';
import { newCode } from '../../codes/one-time-code.js';
import { invalidEmail } from '../../credentials/identifier.errors.js';
import { normaliseEmail } from '../../credentials/identifiers.js';
import { SingleSignOn } from '../../single-sign-on/single-sign-on.js';
import { CodeMails } from './code-mails.js';
import { invalidEmailVerification, tooManyEmailAttempts, wrongEmailCode } from './email-code.errors.js';

/** Codes by email. The message goes to the normal form of the address, which is what it proves. */
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
    private readonly mails: CodeMails,
    private readonly singleSignOn: SingleSignOn,
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

  /** If email is enabled, every address is allowed except those required to use single sign-on. */
  override async assertReaches(environmentId: EnvironmentId, email: string): Promise<void> {
    await this.assertEnabled(environmentId);
    await this.singleSignOn.assertNotHeld(environmentId, [email]);
  }

  override async codeFor(environmentId: EnvironmentId, email: string): Promise<string> {
    return (await this.tests.codeFor(environmentId, email)) ?? newCode();
  }

  /** A test account's code is valid as long as the account exists. */
  override async isGood(environmentId: EnvironmentId, email: string): Promise<boolean> {
    // Single sign-on may have become required after the code was sent.
    await this.singleSignOn.assertNotHeld(environmentId, [email]);
    return !this.tests.isReserved(email) || (await this.tests.codeFor(environmentId, email)) !== null;
  }

  /** Nothing is ever sent to the reserved addresses of test accounts. */
  override async send(environmentId: EnvironmentId, email: string, code: string, client: ClientOrigin): Promise<void> {
    if (this.tests.isReserved(email)) return;
    const acceptLanguage = client.acceptLanguage ?? null;
    await this.mails.send(environmentId, { to: email, code, minutes: this.ttlMinutes, acceptLanguage });
  }
}
