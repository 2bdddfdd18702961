/* global navigator, PublicKeyCredential, window */
// Creates passkeys and signs with them. Options and responses have the JSON form of WebAuthn Level 3 §5.1.9 and §5.1.10.

/** Whether the browser supports passkeys; older ones cannot parse the options. */
export const knowsPasskeys = () => Boolean(window.PublicKeyCredential?.parseCreationOptionsFromJSON);

/**
 * Signs with one of the allowed passkeys.
 *
 * @param factors those that are second factors, if no other will do
 */
export async function assertion(options, factors) {
  const willDo = ({ id }) => !factors || factors.some(({ credentialId }) => credentialId === id);
  const allowCredentials = (options.allowCredentials ?? []).filter(willDo);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({ ...options, allowCredentials });
  const proof = (await navigator.credentials.get({ publicKey })).toJSON();
  const { id, rawId, type, clientExtensionResults, response } = proof;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    id,
    rawId,
    type,
    clientExtensionResults,
    response: { clientDataJSON, authenticatorData, signature, userHandle },
  };
}

/** Creates a passkey. */
export async function attestation(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const { id, rawId, type, authenticatorAttachment, clientExtensionResults, response } = (
    await navigator.credentials.create({ publicKey })
  ).toJSON();
  return { id, rawId, type, authenticatorAttachment, clientExtensionResults, response };
}
