import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import { Clock } from '../../../common/clock.js';
import type { EnvironmentId } from '../../../database/index.js';
import { CodeMethod } from '../../codes/code.method.js';
import { SMS_CODE_AMR } from '../../codes/failure-reset.js';
import { OneTimeCodes } from '../../codes/one-time-codes.js';
import { invalidPhone } from '../../credentials/identifier.errors.js';
import { normalisePhone } from '../../credentials/identifiers.js';
import { ContactCheck, ContactChecks, type StartedCheck } from '../../flows/profile/contact-check.js';
import { SignInMethods } from '../../flows/proofs/sign-in-method.js';
import { SmsChannel } from './sms.channel.js';

@Injectable()
export class SmsCodeMethod extends CodeMethod {
  readonly name = 'sms-code';
  readonly proves = ['phoneNumber'] as const;
  protected readonly amr = SMS_CODE_AMR;

  constructor(channel: SmsChannel, codes: OneTimeCodes, methods: SignInMethods, clock: Clock) {
    super(channel, codes, methods, clock);
  }
}

/** Sends a code to a new number in a profile. */
@Injectable()
export class SmsContactCheck extends ContactCheck implements OnModuleInit {
  readonly kind = 'phoneNumber';

  constructor(
    private readonly codes: OneTimeCodes,
    private readonly channel: SmsChannel,
    private readonly checks: ContactChecks,
  ) {
    super();
  }

  onModuleInit(): void {
    this.checks.register(this);
  }

  override async begin(environmentId: EnvironmentId, number: string, client: ClientOrigin): Promise<StartedCheck> {
    const phone = normalisePhone(number);
    if (!phone) throw invalidPhone();
    const verificationUUID = await this.codes.start(environmentId, this.channel, phone.e164, client);
    const { national: phoneNumber, countryCode: phoneCountryCode } = phone;
    const isoCountryCode = phone.isoCountryCode ?? '';
    return {
      nextView: 'verify-sms',
      smsVerification: { verificationUUID, phoneNumber, phoneCountryCode, isoCountryCode },
    };
  }
}
