import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import { Clock } from '../../../common/clock.js';
import type { EnvironmentId } from '../../../database/index.js';
import { CodeMethod } from '../../codes/code.method.js';
import { OneTimeCodes } from '../../codes/one-time-codes.js';
import { ContactCheck, ContactChecks, type StartedCheck } from '../../flows/profile/contact-check.js';
import { SignInMethods } from '../../flows/proofs/sign-in-method.js';
import { EMAIL_CODE_AMR } from '../../vocabulary/factors.js';
import { EmailChannel } from './email.channel.js';

@Injectable()
export class EmailCodeMethod extends CodeMethod {
  readonly name = 'email-code';
  readonly proves = ['email'] as const;
  protected readonly amr = EMAIL_CODE_AMR;

  constructor(channel: EmailChannel, codes: OneTimeCodes, methods: SignInMethods, clock: Clock) {
    super(channel, codes, methods, clock);
  }
}

/** Sends a code to a new address in a profile. */
@Injectable()
export class EmailContactCheck extends ContactCheck implements OnModuleInit {
  readonly kind = 'email';

  constructor(
    private readonly codes: OneTimeCodes,
    private readonly channel: EmailChannel,
    private readonly checks: ContactChecks,
  ) {
    super();
  }

  onModuleInit(): void {
    this.checks.register(this);
  }

  override async begin(environmentId: EnvironmentId, email: string, client: ClientOrigin): Promise<StartedCheck> {
    const verificationUUID = await this.codes.start(environmentId, this.channel, email, client);
    return { nextView: 'verify-email', emailVerification: { verificationUUID, email } };
  }
}
