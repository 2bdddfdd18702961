import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import type { EmailVerificationCreateResponse, SmsVerificationCreateResponse } from '../sign-in.dto.js';

/** The field of the response that a started check fills, and the view the application shows next. */
export type StartedCheck =
  | { nextView: 'verify-email'; emailVerification: EmailVerificationCreateResponse }
  | { nextView: 'verify-sms'; smsVerification: SmsVerificationCreateResponse };

/** The response to a change of one's own profile. */
export type ProfileAnswer = SignedIn<FullUser> & ({ nextView: 'done' } | StartedCheck);

/** Starts the verification of an address or number that a user wants in their profile. */
export abstract class ContactCheck {
  abstract readonly kind: 'email' | 'phoneNumber';
  abstract begin(environmentId: EnvironmentId, value: string, client: ClientOrigin): Promise<StartedCheck>;
}

/** The checks by kind of contact; methods register what they can verify. */
@Injectable()
export class ContactChecks {
  private readonly checks = new Map<ContactCheck['kind'], ContactCheck>();

  register(check: ContactCheck): void {
    if (this.checks.has(check.kind)) throw new Error(`Two checks of ${check.kind} are registered.`);
    this.checks.set(check.kind, check);
  }

  /** @throws an Error for a kind that no method checks */
  get(kind: ContactCheck['kind']): ContactCheck {
    const check = this.checks.get(kind);
    if (!check) throw new Error(`No check of ${kind} is registered.`);
    return check;
  }
}
