import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../../database/index.js';
import type { Admission } from '../../flows/sign-in-checks.js';
import { SignInEffect, SignInEffects } from '../../flows/sign-in-effects.js';
import { EMAIL_CODE_AMR } from './email-code.method.js';
import { EmailCodes } from './email-codes.service.js';

/** Whoever signs in with another factor may be sent codes again (NIST SP 800-63B §3.2.2). */
@Injectable()
export class FailureReset extends SignInEffect implements OnModuleInit {
  constructor(
    private readonly codes: EmailCodes,
    private readonly effects: SignInEffects,
  ) {
    super();
  }

  onModuleInit(): void {
    this.effects.register(this);
  }

  override async follow({ environmentId, user, amr }: Admission, tx: Transaction): Promise<void> {
    if (amr.includes(EMAIL_CODE_AMR)) return;
    const proven = user.verifiedCredentials.filter(({ email, verifiedAt }) => email && verifiedAt);
    await this.codes.forgive(
      environmentId,
      proven.map(({ email }) => email!),
      tx,
    );
  }
}
