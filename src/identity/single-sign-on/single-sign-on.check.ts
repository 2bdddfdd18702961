import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Executor } from '../../database/index.js';
import { PreparationNeeded, SignInCheck, SignInChecks, type Admission } from '../flows/admission/sign-in-checks.js';
import { LINK_AMR, SINGLE_SIGN_ON_AMR } from '../vocabulary/factors.js';
import { SingleSignOn } from './single-sign-on.js';

/** The provider itself, and the link that an operator hands out: so nobody is locked out while a provider is down. */
const ADMITTED = [SINGLE_SIGN_ON_AMR, LINK_AMR];

/**
 * Where people of a domain are held to single sign-on, whoever has proven an address of it comes in that way, whichever
 * other credentials they have; and nobody else makes what they have their own. Sessions that there are go on.
 */
@Injectable()
export class SingleSignOnCheck extends SignInCheck implements OnModuleInit {
  constructor(
    private readonly checks: SignInChecks,
    private readonly singleSignOn: SingleSignOn,
  ) {
    super();
  }

  onModuleInit(): void {
    this.checks.register(this);
  }

  override async check({ environmentId, user, amr, occasion, prepared }: Admission, on: Executor): Promise<null> {
    if (occasion === 'refresh' || amr.some((method) => ADMITTED.includes(method))) return null;
    const environment = this.singleSignOn.environment(environmentId);
    if (environment instanceof Promise && !prepared) throw new PreparationNeeded(() => environment);
    const proven = user.verifiedCredentials.filter(({ format, verifiedAt }) => format === 'email' && verifiedAt);
    const emails = proven.flatMap(({ email }) => email ?? []);
    await this.singleSignOn.assertNotHeld(environmentId, emails, on);
    return null;
  }
}
