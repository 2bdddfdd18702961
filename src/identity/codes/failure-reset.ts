import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../database/index.js';
import { normaliseEmail, normalisePhone } from '../credentials/identifiers.js';
import type { VerifiedCredential } from '../credentials/verified-credential.dto.js';
import type { Admission } from '../flows/admission/sign-in-checks.js';
import { SignInEffect, SignInEffects } from '../flows/admission/sign-in-effects.js';
import { EMAIL_CODE_AMR } from '../vocabulary/factors.js';
import { OneTimeCodes } from './one-time-codes.js';

/** RFC 8176 §2. */
export const SMS_CODE_AMR = 'sms';

/** A sign-in with another factor marks the network as the user's and ends waits from earlier wrong codes. */
@Injectable()
export class FailureReset extends SignInEffect implements OnModuleInit {
  constructor(
    private readonly codes: OneTimeCodes,
    private readonly effects: SignInEffects,
  ) {
    super();
  }

  onModuleInit(): void {
    this.effects.register(this);
  }

  override async follow({ environmentId, user, amr, client }: Admission, tx: Transaction): Promise<void> {
    const proven = user.verifiedCredentials.filter(({ verifiedAt }) => verifiedAt);
    const addresses = proven.flatMap((credential) => addressOf(credential, amr) ?? []);
    if (addresses.length > 0) await this.codes.forgive(environmentId, addresses, client, tx);
  }
}

/** Where codes for a credential are sent, unless such a code was used for this sign-in. */
function addressOf({ format, email, public_identifier: known }: VerifiedCredential, amr: readonly string[]) {
  if (email && !amr.includes(EMAIL_CODE_AMR)) return normaliseEmail(email)?.normal;
  if (format === 'phoneNumber' && known && !amr.includes(SMS_CODE_AMR)) return normalisePhone(known)?.e164;
  return undefined;
}
