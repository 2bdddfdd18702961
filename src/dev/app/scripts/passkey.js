/* global navigator, PublicKeyCredential, window */
import { call, onClick, part, SCOPES } from './service.js';
import { enter, own, whenIn } from './session.js';

// Sign-in with a passkey, and what second factors share with it.

/** Has the browser sign, and answers in the words of the service. */
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

async function signIn() {
  const options = await call('/users/passkeys/signin');
  enter(await call('/users/passkeys/signin', { ...(await assertion(options)), requestedScopes: SCOPES }));
}

async function add() {
  const { response, ...made } = await attestation(await own('/users/passkeys/register'));
  const { attestationObject, clientDataJSON, transports } = response;
  await own('/users/passkeys/register', {
    ...made,
    response: { attestationObject, clientDataJson: clientDataJSON, transports },
  });
  part('add-passkey').hidden = true;
  part('added').textContent = 'The passkey was added. Sign out and use it.';
}

export function offerPasskey() {
  part('passkey').hidden = !window.PublicKeyCredential;
  onClick(part('passkey').querySelector('button'), signIn);
  onClick(part('add-passkey'), add);
  whenIn(({ elevatedAccessToken, isPartial, isNew }) => {
    part('add-passkey').hidden = !elevatedAccessToken || isPartial || !window.PublicKeyCredential;
    if (isNew) part('added').textContent = '';
  });
}
