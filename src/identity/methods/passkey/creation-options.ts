import { randomBytes } from 'node:crypto';
import type { FullUser } from '../../users/full-user.js';
import { CHALLENGE_SECONDS } from './passkey-challenges.js';
import type { RelyingParty } from './relying-parties.js';
import { PASSKEY_ALGORITHMS } from './verify-attestation.js';

export const PASSKEY_TIMEOUT_MS = CHALLENGE_SECONDS * 1_000;
const USER_HANDLE_BYTES = 64;

export const newUserHandle = (): Buffer => randomBytes(USER_HANDLE_BYTES);

/** The user a passkey is created for, and its display name when several can be chosen. */
export interface PasskeyOwner {
  rp: RelyingParty;
  user: Pick<FullUser, 'email' | 'username' | 'alias' | 'firstName'>;
  userHandle: Buffer;
}

/** Options common to all new passkeys: user verification, and a key algorithm that we can verify. */
export function creationOptions<Resident extends 'required' | 'discouraged'>(
  { rp, user: { email, username, alias, firstName }, userHandle }: PasskeyOwner,
  challenge: string,
  residentKey: Resident,
) {
  const name = email || username || alias || rp.name;
  return {
    challenge,
    rp,
    user: { id: userHandle.toString('base64url'), name, displayName: firstName || alias || name },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
    authenticatorSelection: {
      residentKey,
      requireResidentKey: residentKey === 'required',
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
    timeout: PASSKEY_TIMEOUT_MS,
  };
}
