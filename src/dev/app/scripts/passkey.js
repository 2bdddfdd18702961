/* global window */
import { assertion, attestation } from '/pages/passkey.js';
import { call, onClick, part, SCOPES } from './service.js';
import { enter, own, whenIn } from './session.js';

// Sign-in with a passkey.

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
  whenIn(({ elevatedAccessToken, isPartial }) => {
    part('add-passkey').hidden = !elevatedAccessToken || isPartial || !window.PublicKeyCredential;
  });
}
