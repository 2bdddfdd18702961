import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../../database/index.js';
import { parseClientData, type ClientData } from './client-data.js';
import type { PasskeyPurpose } from './passkey-challenge.entity.js';
import type { PasskeyAuthRequest } from './passkey-answer.dto.js';
import { PasskeyChallengesRepository, type StoredPasskey } from './passkey-challenges.repository.js';
import { challengeHash } from './passkey-challenges.js';
import { passkeyDomain } from './passkey-domain.js';
import { passkeyChallengeInvalid, passkeyNotFound, passkeyNotVerified } from './passkey.errors.js';
import { RelyingParties } from './relying-parties.js';
import { verifyAssertion, type VerifiedAssertion } from './verify-assertion.js';
import { verifyAttestation, type AttestationAnswer, type VerifiedAttestation } from './verify-attestation.js';

/** A passkey that has just signed. */
export type Assertion = VerifiedAssertion & { passkey: StoredPasskey };

/** A newly created passkey. */
export interface Attestation extends VerifiedAttestation {
  userHandle: Buffer;
  rpId: string;
  origin: string;
}

/** WebAuthn §5.8.3: 1 023 bytes at most, in base64url. */
const CREDENTIAL_ID = /^[\w-]{1,1364}$/;

/** Purposes answered with an existing passkey. */
const ASSERTED: readonly PasskeyPurpose[] = ['sign-in', 'authenticate'];

/**
 * Checks authenticators' answers. The challenge is taken before anything else is checked, so each allows one attempt,
 * whatever its outcome.
 */
@Injectable()
export class PasskeyCeremonies {
  constructor(
    private readonly challenges: PasskeyChallengesRepository,
    private readonly parties: RelyingParties,
  ) {}

  /** @throws ApiError 422 `passkey_challenge_invalid`, `passkey_not_found` and those of `verifyAssertion` */
  async assertion(environmentId: EnvironmentId, answer: PasskeyAuthRequest): Promise<Assertion> {
    const clientData = read(answer.response.clientDataJSON);
    const hash = challengeHash(clientData.challenge);
    // Malformed ids match no passkey and are not looked up.
    const credentialId = CREDENTIAL_ID.test(answer.id) ? answer.id : '';
    const taken = await this.challenges.takeWithPasskey(environmentId, hash, credentialId);
    if (!taken?.challenge.isLive || !ASSERTED.includes(taken.challenge.purpose)) throw passkeyChallengeInvalid();
    const { challenge, passkey } = taken;
    await this.assertSite(environmentId, clientData, 'webauthn.get');
    if (!passkey) throw passkeyNotFound();
    return { passkey, ...(await verifyAssertion(answer, { challenge, passkey, clientData })) };
  }

  /**
   * The same with a passkey stored elsewhere, for a signed-in user.
   * @param find looks among the user's own
   */
  async assertionOf(
    environmentId: EnvironmentId,
    userId: string,
    answer: PasskeyAuthRequest,
    find: (credentialId: string) => Promise<StoredPasskey | null>,
  ): Promise<Assertion> {
    const clientData = read(answer.response.clientDataJSON);
    const challenge = await this.challenges.take(environmentId, challengeHash(clientData.challenge));
    if (!challenge?.isLive || challenge.purpose !== 'authenticate') throw passkeyChallengeInvalid();
    if (challenge.userId !== userId) throw passkeyChallengeInvalid();
    await this.assertSite(environmentId, clientData, 'webauthn.get');
    const passkey = CREDENTIAL_ID.test(answer.id) ? await find(answer.id) : null;
    if (!passkey) throw passkeyNotFound();
    return { passkey, ...(await verifyAssertion(answer, { challenge, passkey, clientData })) };
  }

  /** @throws ApiError 422 `passkey_challenge_invalid` and that of `verifyAttestation` */
  async attestation(
    environmentId: EnvironmentId,
    userId: string,
    answer: AttestationAnswer,
    purpose: 'register' | 'register-factor',
  ): Promise<Attestation> {
    const clientData = read(answer.response.clientDataJson);
    const challenge = await this.challenges.take(environmentId, challengeHash(clientData.challenge));
    if (!challenge?.isLive || challenge.purpose !== purpose) throw passkeyChallengeInvalid();
    const { rpId, userHandle } = challenge;
    if (challenge.userId !== userId || !userHandle) throw passkeyChallengeInvalid();
    await this.assertSite(environmentId, clientData, 'webauthn.create');
    if (!CREDENTIAL_ID.test(answer.id)) throw passkeyNotVerified();
    const made = await verifyAttestation(answer, { rpId, clientData });
    return { ...made, userHandle, rpId, origin: clientData.origin };
  }

  /** The same with a challenge already taken by the caller, for the site's domain. */
  async attestationUnder(
    environmentId: EnvironmentId,
    challenge: string,
    answer: AttestationAnswer,
  ): Promise<Omit<Attestation, 'userHandle'>> {
    const clientData = read(answer.response.clientDataJson);
    if (clientData.challenge !== challenge) throw passkeyChallengeInvalid();
    await this.assertSite(environmentId, clientData, 'webauthn.create');
    const rpId = passkeyDomain(clientData.origin);
    if (rpId === null || !CREDENTIAL_ID.test(answer.id)) throw passkeyNotVerified();
    return { ...(await verifyAttestation(answer, { rpId, clientData })), rpId, origin: clientData.origin };
  }

  /** §7.1 and §7.2, steps 7 to 10: the type of ceremony, and a page of the environment in no foreign frame. */
  private async assertSite(
    environmentId: EnvironmentId,
    { type, origin, isCrossOrigin }: ClientData,
    expectedType: 'webauthn.create' | 'webauthn.get',
  ): Promise<void> {
    if (type !== expectedType || isCrossOrigin) throw passkeyNotVerified();
    if (!(await this.parties.admits(environmentId, origin))) throw passkeyNotVerified();
  }
}

function read(clientDataJson: string): ClientData {
  const clientData = parseClientData(clientDataJson);
  if (!clientData) throw passkeyChallengeInvalid();
  return clientData;
}
