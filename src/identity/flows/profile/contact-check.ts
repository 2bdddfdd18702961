import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import type { EmailVerificationCreateResponse, SmsVerificationCreateResponse } from '../sign-in.dto.js';

/** The field of the answer that a check which has begun fills, and what the application shows next. */
export type StartedCheck =
  | { nextView: 'verify-email'; emailVerification: EmailVerificationCreateResponse }
  | { nextView: 'verify-sms'; smsVerification: SmsVerificationCreateResponse };

/** The answer to a change of one's own profile. */
export type ProfileAnswer = SignedIn<FullUser> & ({ nextView: 'done' } | StartedCheck);

/** Begins the proof of an address or a number that a user wants to have in the profile. */
export abstract class ContactCheck {
  abstract readonly kind: 'email' | 'phoneNumber';
  abstract begin(environmentId: EnvironmentId, value: string, client: ClientOrigin): Promise<StartedCheck>;
}

/** Who checks which kind of contact; methods register what they can prove. */
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
