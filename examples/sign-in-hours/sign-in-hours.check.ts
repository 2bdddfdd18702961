import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../src/common/clock.js';
import { SignInCheck, SignInChecks, type Admission } from '../../src/identity/index.js';
import { OpeningHours } from './opening-hours.js';
import { signInClosed } from './sign-in-hours.errors.js';

/** Allows sign-in during opening hours. Existing sessions continue: a refresh is not a sign-in. */
@Injectable()
export class SignInHoursCheck extends SignInCheck implements OnModuleInit {
  constructor(
    private readonly checks: SignInChecks,
    private readonly hours: OpeningHours,
    private readonly clock: Clock,
  ) {
    super();
  }

  onModuleInit(): void {
    this.checks.register(this);
  }

  override async check({ occasion }: Admission): Promise<null> {
    const retryAfterSeconds = this.hours.secondsUntilOpen(this.clock.now());
    if (occasion === 'sign-in' && retryAfterSeconds > 0) throw signInClosed({ retryAfterSeconds });
    return null;
  }
}
