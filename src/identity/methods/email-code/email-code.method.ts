import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import type { EnvironmentId } from '../../../database/index.js';
import { ContactCheck, ContactChecks, type StartedCheck } from '../../flows/contact-check.js';
import type { Proof } from '../../flows/proof.js';
import { SignInMethod, SignInMethods } from '../../flows/sign-in-method.js';
import { EmailCodes } from './email-codes.service.js';
import type { EmailVerificationVerifyRequest } from './email-verification.dto.js';

/** RFC 8176 §2: a one-time password. */
export const EMAIL_CODE_AMR = 'otp';

export type EmailCodeAnswer = Pick<EmailVerificationVerifyRequest, 'verificationUUID' | 'verificationToken'>;

/** A right code proves the mailbox it was sent to, for a sign-in as for a new address of somebody who is signed in. */
@Injectable()
export class EmailCodeMethod extends SignInMethod<EmailCodeAnswer> implements OnModuleInit {
  readonly name = 'email-code';
  readonly proves = ['email'] as const;

  constructor(
    private readonly codes: EmailCodes,
    private readonly methods: SignInMethods,
    private readonly clock: Clock,
  ) {
    super();
  }

  onModuleInit(): void {
    this.methods.register(this);
  }

  override async prove(
    environmentId: EnvironmentId,
    { verificationUUID, verificationToken }: EmailCodeAnswer,
  ): Promise<Proof> {
    const { email, redeem } = await this.codes.prove(environmentId, verificationUUID, verificationToken);
    return {
      identifiers: [{ identifier: { kind: 'email', value: email }, strength: 'proven' }],
      assurance: { amr: [EMAIL_CODE_AMR], factor: 'possession', at: this.clock.now() },
      redeem,
    };
  }

  override link(environmentId: EnvironmentId, answer: EmailCodeAnswer): Promise<Proof> {
    return this.prove(environmentId, answer);
  }
}

/** A new address in a profile: a code goes to it. */
@Injectable()
export class EmailContactCheck extends ContactCheck implements OnModuleInit {
  readonly kind = 'email';

  constructor(
    private readonly codes: EmailCodes,
    private readonly checks: ContactChecks,
  ) {
    super();
  }

  onModuleInit(): void {
    this.checks.register(this);
  }

  override async begin(environmentId: EnvironmentId, address: string): Promise<StartedCheck> {
    return { nextView: 'verify-email', emailVerification: await this.codes.start(environmentId, address) };
  }
}
