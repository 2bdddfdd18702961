import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { ClientData } from './client-data.js';
import type { PasskeyAuthRequest } from './passkey-answer.dto.js';
import type { StoredPasskey, TakenChallenge } from './passkey-challenges.repository.js';
import { passkeyCopied, passkeyNotVerified } from './passkey.errors.js';

/** What an authenticator's answer is checked against. */
export interface ExpectedAssertion {
  challenge: TakenChallenge;
  passkey: StoredPasskey;
  /** Parsed from the answer; its origin has been checked against the environment. */
  clientData: ClientData;
}

export interface VerifiedAssertion {
  signCount: number;
  backedUp: boolean;
}

/**
 * The steps of WebAuthn Level 3 §7.2, in order. User verification is required: possession alone is not enough to sign
 * in without a password.
 * @throws ApiError 422 `passkey_not_verified`, `passkey_counter_went_back`
 */
export async function verifyAssertion(
  answer: PasskeyAuthRequest,
  { challenge, passkey, clientData }: ExpectedAssertion,
): Promise<VerifiedAssertion> {
  assertOwner(answer.response.userHandle, challenge, passkey);
  const { authenticationInfo } = await verified(answer, { challenge, passkey, clientData });
  const { newCounter: signCount, credentialDeviceType, credentialBackedUp: backedUp } = authenticationInfo;
  // Step 19: backup eligibility never changes.
  if ((credentialDeviceType === 'multiDevice') !== passkey.backupEligible) throw passkeyNotVerified();
  // Step 22: a counter that has not increased indicates a copy.
  if ((signCount > 0 || passkey.signCount > 0) && signCount <= passkey.signCount) throw passkeyCopied();
  return { signCount, backedUp };
}

/** Step 6: the user the challenge was issued for, or the user handle if it was issued for nobody in particular. */
function assertOwner(handle: string | undefined, { userId, rpId }: TakenChallenge, passkey: StoredPasskey): void {
  if (rpId !== passkey.rpId) throw passkeyNotVerified();
  if (userId === null ? handle === undefined : userId !== passkey.ownerId) throw passkeyNotVerified();
  if (handle !== undefined && handle !== passkey.userHandle.toString('base64url')) throw passkeyNotVerified();
}

async function verified(answer: PasskeyAuthRequest, { challenge, passkey, clientData }: ExpectedAssertion) {
  const { id, rawId, response, type } = answer;
  try {
    const result = await verifyAuthenticationResponse({
      response: { id, rawId, response, type, clientExtensionResults: {} },
      expectedChallenge: clientData.challenge,
      expectedOrigin: clientData.origin,
      expectedRPID: challenge.rpId,
      // The counter is checked by us, to distinguish a copy from a wrong signature.
      credential: { id, publicKey: new Uint8Array(passkey.publicKey), counter: -1 },
      requireUserVerification: true,
    });
    if (result.verified) return result;
  } catch (cause) {
    throw passkeyNotVerified({ cause });
  }
  throw passkeyNotVerified();
}
