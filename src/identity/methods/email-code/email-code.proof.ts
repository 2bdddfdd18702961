import { normaliseEmail } from '../../credentials/identifiers.js';
import type { Proof } from '../../flows/sign-in.flow.js';
import type { ProvenEmail } from './email-codes.service.js';

/** RFC 8176 §2: a one-time password. */
export const EMAIL_CODE_AMR = 'otp';

/** A right code proves the mailbox it was sent to. */
export const emailCodeProof = ({ email, redeem }: ProvenEmail): Proof => ({
  identifier: { kind: 'email', value: email },
  amr: [EMAIL_CODE_AMR],
  proves: (credential) => credential.format === 'email' && normaliseEmail(credential.email ?? '')?.normal === email,
  redeem,
});
