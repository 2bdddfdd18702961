/* global navigator, PublicKeyCredential, window */
// What pages share that have the browser make passkeys and sign with them. Options and answers are in the words of the
// service, which are those of WebAuthn Level 3 §5.1.9 and §5.1.10.

/** Whether there is anything to offer: older browsers cannot read the options. */
export const knowsPasskeys = () => Boolean(window.PublicKeyCredential?.parseCreationOptionsFromJSON);

/** Has the browser sign with one of the passkeys that are named. */
export async function assertion(options) {
  const allowCredentials = (options.allowCredentials ?? []).map((each) => ({ ...each, type: 'public-key' }));
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

/** Has the browser make a passkey. */
export async function attestation(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const { id, rawId, type, authenticatorAttachment, clientExtensionResults, response } = (
    await navigator.credentials.create({ publicKey })
  ).toJSON();
  return { id, rawId, type, authenticatorAttachment, clientExtensionResults, response };
}
