import { Injectable } from '@nestjs/common';
import type { Executor } from '../../../database/index.js';
import { SignInCheck, SignInChecks, type Admission } from '../../flows/sign-in-checks.js';
import { EMAIL_CODE_AMR } from './email-code.proof.js';
import { EmailCodes } from './email-codes.service.js';

/** P6: whoever signs in with another factor may be sent codes again. Refuses nobody. */
@Injectable()
export class FailureReset extends SignInCheck {
  constructor(
    private readonly codes: EmailCodes,
    checks: SignInChecks,
  ) {
    super();
    checks.register(this);
  }

  override async check({ environmentId, user, amr, occasion }: Admission, on: Executor): Promise<null> {
    if (occasion !== 'sign-in' || amr.includes(EMAIL_CODE_AMR)) return null;
    const proven = user.verifiedCredentials.filter(({ email, verifiedAt }) => email && verifiedAt);
    await this.codes.forgive(
      environmentId,
      proven.map(({ email }) => email!),
      on,
    );
    return null;
  }
}
