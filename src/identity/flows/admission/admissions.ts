import { Injectable } from '@nestjs/common';
import type { Executor, Transaction } from '../../../database/index.js';
import type { Grants } from '../../sessions/session-tokens.js';
import { SignInChecks, type Admission } from './sign-in-checks.js';
import { SignInEffects } from './sign-in-effects.js';

/** Decides who may sign in, with which permissions, and runs the effects of a sign-in. */
@Injectable()
export class Admissions {
  constructor(
    private readonly checks: SignInChecks,
    private readonly effects: SignInEffects,
  ) {}

  /** @throws ApiError of the first rule that refuses */
  admit(admission: Admission, on: Executor): Promise<Grants> {
    return this.checks.run(admission, on);
  }

  /** The same while the session is being written. @returns decides what is still open, as `admit` does */
  ask(admission: Admission, tx: Transaction): Promise<() => Promise<Grants>> {
    return this.checks.ask(admission, tx);
  }

  /** Called only once the sign-in has succeeded. */
  follow(admission: Admission, tx: Transaction): Promise<void> {
    return this.effects.run(admission, tx);
  }
}
