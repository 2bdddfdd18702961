import { verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import type { ClientData } from './client-data.js';
import { passkeyNotVerified } from './passkey.errors.js';

/** ES256, EdDSA and RS256 (RFC 9053 §2, RFC 8812 §2), in order of preference. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const;

/** The result of `navigator.credentials.create`, in base64url. */
export interface AttestationAnswer {
  id: string;
  rawId: string;
  type: 'public-key';
  response: { clientDataJson: string; attestationObject: string };
}

/** A new public key and its authenticator data. */
export interface VerifiedAttestation {
  credentialId: string;
  publicKey: Buffer;
  signCount: number;
  aaguid: string;
  backupEligible: boolean;
  backedUp: boolean;
}

/**
 * The steps of WebAuthn Level 3 §7.1. Attestation is not requested, and an unsolicited statement is ignored: its
 * certificates would reveal the authenticator model, and following them would let an attacker choose URLs for the
 * service to call.
 * @throws ApiError 422 `passkey_not_verified`
 */
export async function verifyAttestation(
  answer: AttestationAnswer,
  { rpId, clientData }: { rpId: string; clientData: ClientData },
): Promise<VerifiedAttestation> {
  const { id, rawId, type, response } = answer;
  try {
    const attestationObject = withoutStatement(response.attestationObject);
    const result = await verifyRegistrationResponse({
      response: {
        ...{ id, rawId, type, clientExtensionResults: {} },
        response: { clientDataJSON: response.clientDataJson, attestationObject },
      },
      expectedChallenge: clientData.challenge,
      expectedOrigin: clientData.origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    });
    if (!result.verified) throw passkeyNotVerified();
    const { credential, aaguid, credentialDeviceType, credentialBackedUp } = result.registrationInfo;
    // The id signed by the authenticator must match the one the browser sent.
    if (credential.id !== id) throw passkeyNotVerified();
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      signCount: credential.counter,
      aaguid,
      backupEligible: credentialDeviceType === 'multiDevice',
      backedUp: credentialBackedUp,
    };
  } catch (cause) {
    throw passkeyNotVerified({ cause });
  }
}

/** The same authenticator data with a `none` attestation statement (WebAuthn §8.7). */
function withoutStatement(attestationObject: string): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
  const plain = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(plain as never));
}
