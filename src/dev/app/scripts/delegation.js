/* global atob, crypto */
import { base64url, hexOf } from './service.js';
import { own } from './session.js';

// Lets servers of the team sign for the user, within limits: docs/delegated-access.md.
const ALGORITHM = 'HYBRID-RSA-AES-256';
const TAG_BYTES = 16;
const { subtle } = crypto;

const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** Encrypted to the key registered by the team, so that the service cannot read it. */
async function sealed(credential) {
  const { key } = await own('/waas/delegatedAccess/encryptionPublicKey');
  if (key.alg !== ALGORITHM) throw new Error(`This page only supports ${ALGORITHM}, but the key is for ${key.alg}.`);
  const der = bytesOf(atob(key.publicKeyPemB64).replaceAll(/-----[^-]+-----|\s/g, ''));
  const recipient = await subtle.importKey('spki', der, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, ['encrypt']);
  const [secret, iv] = [32, 12].map((length) => crypto.getRandomValues(new Uint8Array(length)));
  const cipher = await subtle.importKey('raw', secret, 'AES-GCM', false, ['encrypt']);
  const ciphertext = new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv }, cipher, credential));
  const ek = new Uint8Array(await subtle.encrypt({ name: 'RSA-OAEP' }, recipient, secret));
  return {
    alg: ALGORITHM,
    kid: key.kid,
    iv: base64url(iv),
    ct: base64url(ciphertext.slice(0, -TAG_BYTES)),
    tag: base64url(ciphertext.slice(-TAG_BYTES)),
    ek: base64url(ek),
  };
}

const refuse = (id, hasDeniedDelegatedAccess) =>
  own(`/waas/${id}/settings`, { hasDeniedDelegatedAccess }, { method: 'PUT' });

/** Lets servers sign messages only. This page does not keep the credential. */
export async function giveAccess({ id }) {
  const credential = crypto.getRandomValues(new Uint8Array(32));
  const encryptedDelegatedShare = await sealed(credential);
  const credentialHash = hexOf(new Uint8Array(await subtle.digest('SHA-256', credential)));
  await refuse(id, false);
  const grant = { kinds: ['message'] };
  await own(`/waas/${id}/delegatedAccess/delivery`, { encryptedDelegatedShare, credentialHash, grant });
}

/** Revokes the access and blocks future grants. */
export const endAccess = ({ id }) => refuse(id, true);
