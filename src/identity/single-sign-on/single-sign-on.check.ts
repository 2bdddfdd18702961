import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Executor } from '../../database/index.js';
import { PreparationNeeded, SignInCheck, SignInChecks, type Admission } from '../flows/admission/sign-in-checks.js';
import { provenAddressesOf } from './proven-addresses.js';
import { SingleSignOn } from './single-sign-on.js';

/**
 * If a domain enforces single sign-on, users with a proven address in it must sign in that way, whichever other
 * credentials they have; nor can anybody else take over what they have. Another organization's provider does not count.
 * Existing sessions continue, and an operator's link still works, so that nobody is locked out while a provider is
 * down.
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

  override async check({ environmentId, user, voucher, occasion, prepared }: Admission, on: Executor): Promise<null> {
    if (occasion === 'refresh' || voucher === 'operator') return null;
    const environment = this.singleSignOn.environment(environmentId);
    if (environment instanceof Promise && !prepared) throw new PreparationNeeded(() => environment);
    const emails = provenAddressesOf(user);
    await this.singleSignOn.assertNotHeld(environmentId, emails, { directory: voucher?.directory, on });
    return null;
  }
}
