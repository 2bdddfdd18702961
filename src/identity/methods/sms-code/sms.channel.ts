import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import { Config } from '../../../config/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { EnvironmentSettingsReader, TestAccounts } from '../../../environments/index.js';
import { isSurelyUnsent, SmsSender } from '../../../providers/index.js';
import { CodeChannel } from '../../codes/code-channel.js';
import { newCode } from '../../codes/one-time-code.js';
import { invalidPhone } from '../../credentials/identifier.errors.js';
import { IdentifierClaimsRepository } from '../../credentials/identifier-claims.repository.js';
import { normalisePhone } from '../../credentials/identifiers.js';
import { acceptedLanguage } from '../../notices/languages.js';
import { codeText } from './code-text.js';
import { invalidSmsVerification, smsBudgetUsedUp, tooManySmsAttempts, wrongSmsCode } from './sms-code.errors.js';
import { SmsBudgets } from './sms-budget.repository.js';

/** Codes by text message, to numbers in the countries allowed for the provider, within the environment's budget. */
@Injectable()
export class SmsChannel extends CodeChannel {
  readonly name = 'sms';
  readonly ttlMinutes = 5;
  readonly errors = {
    wrong: wrongSmsCode,
    tooMany: tooManySmsAttempts,
    unknown: invalidSmsVerification,
  };

  constructor(
    private readonly sender: SmsSender,
    private readonly tests: TestAccounts,
    private readonly budgets: SmsBudgets,
    private readonly settings: EnvironmentSettingsReader,
    private readonly claims: IdentifierClaimsRepository,
    private readonly config: Config,
  ) {
    super();
  }

  override normalise(number: string): string {
    const phone = normalisePhone(number);
    if (!phone) throw invalidPhone();
    return phone.e164;
  }

  override assertEnabled(environmentId: EnvironmentId): Promise<void> {
    return this.sender.assertEnabled(environmentId);
  }

  override async assertReaches(environmentId: EnvironmentId, number: string): Promise<void> {
    if (this.tests.isReservedPhone(number)) await this.assertEnabled(environmentId);
    else await this.sender.assertReaches(environmentId, countryOf(number));
  }

  override async codeFor(environmentId: EnvironmentId, number: string): Promise<string> {
    return (await this.tests.codeForPhone(environmentId, number)) ?? newCode();
  }

  /** A test account's code is valid as long as the account exists. */
  override async isGood(environmentId: EnvironmentId, number: string): Promise<boolean> {
    return !this.tests.isReservedPhone(number) || (await this.tests.codeForPhone(environmentId, number)) !== null;
  }

  /**
   * In the language of the user who has proven the number, or else in one the browser accepts. The look-up runs whether
   * or not the number has an owner, so timing does not reveal it. Nothing is ever sent to the reserved numbers of test
   * accounts.
   */
  override async send(environmentId: EnvironmentId, number: string, code: string, client: ClientOrigin): Promise<void> {
    if (this.tests.isReservedPhone(number)) return;
    if (!(await this.budgets.take(environmentId, this.config.get('SMS_PER_DAY'))))
      throw smsBudgetUsedUp({ retryAfterSeconds: await this.budgets.wait(environmentId) });
    const stored = await this.claims.findLanguage(environmentId, 'phoneNumber', number);
    const { general } = await this.settings.get(environmentId);
    const text = codeText({
      ...{ code, minutes: this.ttlMinutes, brand: general.displayName ?? '' },
      language: stored ?? acceptedLanguage(client.acceptLanguage ?? null),
    });
    try {
      await this.sender.send({ environmentId, to: number, isoCountryCode: countryOf(number), text, code });
    } catch (error) {
      // Otherwise a wrong secret would go on for the rest of the day after it was put right.
      if (isSurelyUnsent(error)) await this.budgets.giveBack(environmentId);
      throw error;
    }
  }
}

/** From the number itself, never from what a client claims; empty for numbers without a country. */
const countryOf = (number: string): string => normalisePhone(number)?.isoCountryCode ?? '';
